// The page in a browser: pages of recordings from file://, and live runs. One browser for all of them.
import './recorded.mjs';
import './live_page.mjs';
import './engine.mjs';
import './remote.mjs';
import './site.mjs';
