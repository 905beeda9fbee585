import { Recording } from "./recording.js"; window.cordage={Recording};
