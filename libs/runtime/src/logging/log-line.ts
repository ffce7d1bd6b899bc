/** Members of every line, which a terminal shows elsewhere or not at all. */
const OWN: ReadonlySet<string> = new Set(['level', 'time', 'app', 'instance', 'pid', 'msg', 'err']);
const MAX_VALUE = 200;
/** Characters that move the cursor, change colours, or reorder text: clients choose some of what is logged. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
const REPLACEMENT = '\ufffd';

/** Formats a JSON log line for people: time, level unless it is info, app, message and details. */
export function logLine(json: string): string {
  const line = JSON.parse(json) as Readonly<Record<string, unknown>>;
  const time = toText(line.time).slice(11, 19);
  const level = line.level === 'info' ? '' : `${toText(line.level).toUpperCase()} `;
  const more = Object.entries(line)
    .filter(([name]) => !OWN.has(name))
    .map(([name, value]) => ` ${name}=${shortened(toText(value))}`)
    .join('');
  return `${time} ${toText(line.app)}: ${level}${toText(line.msg)}${more}${toFault(line.err)}\n`;
}

/** An error needs its stack, because an operator must act on it. */
function toFault(error: unknown): string {
  const { stack, message } = (error ?? {}) as { readonly stack?: unknown; readonly message?: unknown };
  const text = stack ?? message;
  if (typeof text !== 'string') return '';
  return text
    .split('\n')
    .map((line) => `\n  ${printable(line)}`)
    .join('');
}

function shortened(text: string): string {
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE - 1)}…`;
}

function toText(value: unknown): string {
  return printable(typeof value === 'string' ? value : JSON.stringify(value ?? ''));
}

function printable(text: string): string {
  return text.replace(CONTROLS, REPLACEMENT);
}
