// The script of the pages: it filters the list, opens the target of an address, and makes calls. It stores
// nothing and calls no other site.

const find = document.getElementById('q');
const narrow = matchMedia('(max-width: 60rem)');

openNamed();
addEventListener('hashchange', openNamed);
foldContents();
narrow.addEventListener('change', foldContents);
document.addEventListener('keydown', focusOnSlash);
for (const form of document.querySelectorAll('form.try')) makeRunnable(form);
if (document.getElementById('found') !== null) makeFindable();

/** The target of an address may lie in a folded element. */
function openNamed() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const details = target?.querySelector(':scope > details');
  if (details === null || details === undefined) return;
  details.open = true;
  target.scrollIntoView();
}

/** Next to the page the contents stand open; above it they would push the page away. */
function foldContents() {
  document.querySelector('.contents > details').open = !narrow.matches;
}

function focusOnSlash(event) {
  const isTyping = event.target.closest('input, textarea, select') !== null;
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  find.focus();
}

// Finding

function makeFindable() {
  find.value = new URLSearchParams(location.search).get('q') ?? '';
  find.form.addEventListener('submit', (event) => {
    event.preventDefault();
    firstFound()?.focus();
  });
  find.addEventListener('input', showFound);
  find.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    find.value = '';
    showFound();
  });
  if (find.value !== '') showFound();
}

function firstFound() {
  return [...document.querySelectorAll('[data-words]:not([hidden])')]
    .map((item) => item.querySelector('summary, a'))
    .find((element) => element !== null);
}

function showFound() {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const item of document.querySelectorAll('[data-words]')) {
    const fields = fieldsFound(item, words);
    item.hidden = !words.every(
      (word) =>
        item.dataset.words.includes(word) ||
        (fields.length > 0 && fields.some((name) => name.toLowerCase().includes(word))),
    );
    if (!item.hidden) count++;
    showFields(
      item,
      words.length === 0 ? [] : fields.filter((name) => !item.querySelector('a').textContent.includes(name)),
    );
  }
  for (const part of document.querySelectorAll('.group, .part')) {
    part.hidden = words.length > 0 && part.querySelector('[data-words]:not([hidden])') === null;
  }
  for (const id of ['lead', 'to-know']) document.getElementById(id).hidden = words.length > 0;
  const found = document.getElementById('found');
  found.hidden = words.length === 0;
  found.textContent =
    count === 0
      ? `Nothing has “${find.value.trim()}” in it.`
      : `${count} found. Escape shows everything again.`;
  const address = new URL(location.href);
  if (words.length === 0) address.searchParams.delete('q');
  else address.searchParams.set('q', find.value);
  history.replaceState(null, '', address);
}

/** Returns the fields of an aspect whose names contain the words. */
function fieldsFound(item, words) {
  const names = item.dataset.fields?.split(' ') ?? [];
  return names.filter((name) => words.some((word) => name.toLowerCase().includes(word)));
}

const FIELDS_SHOWN = 4;

function showFields(item, fields) {
  item.querySelector('.hits')?.remove();
  if (fields.length === 0) return;
  const line = document.createElement('p');
  line.className = 'hits';
  const more = fields.length > FIELDS_SHOWN ? ' …' : '';
  line.textContent = `Fields: ${fields.slice(0, FIELDS_SHOWN).join(', ')}${more}`;
  item.append(line);
}

// Calling

function makeRunnable(form) {
  const choice = form.querySelector('.example');
  for (const button of form.querySelectorAll('button')) button.hidden = false;
  const redraw = () => {
    form.querySelector('.curl').textContent = curlOf(callOf(form));
  };
  choice?.addEventListener('change', () => {
    fill(form, choice.selectedOptions[0]);
    redraw();
  });
  form.addEventListener('input', redraw);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void run(form);
  });
  form
    .querySelector('[data-copies]')
    .addEventListener('click', (event) => void copy(event.target, form.querySelector('.curl').textContent));
  redraw();
}

function fill(form, option) {
  const parameters = JSON.parse(option.dataset.parameters);
  for (const input of form.querySelectorAll('[data-name]'))
    input.value = parameters[input.dataset.name] ?? '';
  const body = form.querySelector('[data-in="body"]');
  if (body === null) return;
  body.value = option.dataset.body ?? '{}';
  body.rows = body.value.split('\n').length;
}

/** Builds the call from the current fields of the form. */
function callOf(form) {
  const { method, path, action } = form.dataset;
  const query = action === undefined ? [] : [`action=${action}`];
  const headers = {};
  let target = path;
  for (const input of form.querySelectorAll('[data-name]')) {
    const { name } = input.dataset;
    const value = input.value.trim();
    if (input.dataset.in === 'path') target = target.replace(`:${name}`, encodeURIComponent(value));
    else if (value !== '' && input.dataset.in === 'query') query.push(`${name}=${encodeURIComponent(value)}`);
    else if (value !== '') headers[name] = value;
  }
  const search = query.length === 0 ? '' : `?${query.join('&')}`;
  const url = new URL(document.body.dataset.api + target.slice(1) + search, location.href.split(/[?#]/, 1)[0])
    .href;
  return {
    method,
    url,
    headers,
    body: form.querySelector('[data-in="body"]')?.value,
    needsToken: form.dataset.token !== undefined,
  };
}

function curlOf({ method, url, headers, body, needsToken }) {
  const lines = [`curl ${method === 'GET' || body !== undefined ? '' : `-X ${method} `}${quoted(url)}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (needsToken) lines.push('-H "Authorization: Bearer $TOKEN"');
  if (body !== undefined) lines.push(`-d ${quoted(compact(body))}`);
  return lines.join(' \\\n  ');
}

function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Compacts JSON to one line, and leaves other text as typed. Removing only the blanks between members keeps
 * all digits.
 */
function compact(body) {
  const isJson = textIsJson(body);
  return isJson ? body.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, text) => text ?? '') : body;
}

function textIsJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function run(form) {
  const { method, url, headers, body } = callOf(form);
  const button = form.querySelector('.run');
  const token = document.getElementById('token')?.value.trim() ?? '';
  if (token !== '') headers.Authorization = `Bearer ${token}`;
  button.disabled = true;
  const startedAt = performance.now();
  try {
    const answer = await fetch(url, { method, headers, body, cache: 'no-store' });
    const text = await answer.text();
    show(form, {
      isGood: answer.ok,
      status: `${answer.status} ${answer.statusText} in ${Math.round(performance.now() - startedAt)} ms`,
      headers: [...answer.headers].filter(([name]) => name.startsWith('x-') || name === 'content-type'),
      text: answer.headers.get('content-type')?.includes('json') ? indented(text) : text,
    });
  } catch (error) {
    show(form, { isGood: false, status: 'No answer', headers: [], text: String(error) });
  } finally {
    button.disabled = false;
  }
}

function show(form, { isGood, status, headers, text }) {
  const answered = form.querySelector('.answered');
  answered.hidden = false;
  answered.className = `answered ${isGood ? 'good' : 'bad'}`;
  answered.querySelector('.status').textContent = status;
  answered.querySelector('.body').textContent = text === '' ? '(empty)' : text;
  answered.querySelector('.headers').replaceChildren(
    ...headers.map(([name, value]) => {
      const row = document.createElement('div');
      const term = document.createElement('dt');
      const detail = document.createElement('dd');
      term.textContent = name;
      detail.textContent = value;
      row.append(term, detail);
      return row;
    }),
  );
}

const STEP = '  ';

/** Indents JSON as text: parsing it would lose digits of long integers. */
function indented(text) {
  let depth = 0;
  return text.replace(/"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|\s+/g, (part) => {
    if (/^[{[]\s*[}\]]$/.test(part)) return part[0] + part.at(-1);
    if (part === '{' || part === '[') return `${part}\n${STEP.repeat(++depth)}`;
    if (part === '}' || part === ']') return `\n${STEP.repeat(--depth)}${part}`;
    if (part === ',') return `,\n${STEP.repeat(depth)}`;
    if (part === ':') return ': ';
    return part.trim() === '' ? '' : part;
  });
}

async function copy(button, text) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    // Browsers deny the clipboard without a safe origin; the reader copies the selection.
    getSelection().selectAllChildren(button.closest('form').querySelector('.curl'));
    button.textContent = 'Marked: press Ctrl-C';
  }
  setTimeout(() => {
    button.textContent = label;
  }, 2000);
}
