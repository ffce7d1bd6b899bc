import { escapeHtml } from '@stratalog/http';

/** Text that is HTML already. */
export class Html {
  constructor(readonly text: string) {}
}

export type HtmlPart = string | number | Html | undefined | readonly HtmlPart[];

/**
 * Builds HTML: it escapes every part except {@link Html}, joins lists, and renders `undefined` as nothing. It
 * removes the indentation of the template and keeps that of the parts.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(strings.map((text, at) => text.replace(/\n\s+/g, '\n') + toText(parts[at])).join(''));
}

function toText(part: HtmlPart): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(toText).join('');
  return escapeHtml(String(part));
}

/**
 * Renders documentation as its authors write it: paragraphs between blank lines, code in back quotes, `**`
 * for emphasis.
 */
export function prose(text: string): readonly Html[] {
  return text
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => html`<p>${inline(paragraph)}</p>`);
}

/** Renders one paragraph of documentation. */
export function inline(text: string): readonly Html[] {
  return text
    .trim()
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .map((part) => {
      if (/^`.+`$/s.test(part)) return html`<code>${breakable(part.slice(1, -1))}</code>`;
      if (/^\*\*.+\*\*$/s.test(part)) return html`<strong>${part.slice(2, -2)}</strong>`;
      return html`${part}`;
    });
}

/** A name of this length fits any line. */
const SHORT = 18;

/** Lets a long name or path break between its words. */
export function breakable(name: string): readonly HtmlPart[] {
  if (name.length <= SHORT) return [name];
  const parts = name.split(/(?<=.[/.:,?&=])(?=.)|(?<=[a-z0-9])(?=[A-Z])/);
  return parts.map((part, at) => (at === 0 ? html`${part}` : html`<wbr />${part}`));
}
