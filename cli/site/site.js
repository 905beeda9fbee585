// Search on the front page: a card is shown when it has all the words.
const field = document.getElementById('search');
const cards = [...document.querySelectorAll('.card')].map((card) => ({ card, text: `${card.textContent} ${card.dataset.words}`.toLowerCase() }));
const groups = [...document.querySelectorAll('section.group')];

function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const { card, text } of cards) card.hidden = !words.every((word) => text.includes(word));
  for (const group of groups) group.hidden = group.querySelector('.card:not([hidden])') === null;
  document.getElementById('nothing').hidden = groups.some((group) => !group.hidden);
}

field.addEventListener('input', search);
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target === field) return;
  event.preventDefault();
  field.focus();
});
search(); // the browser may have kept what was typed
