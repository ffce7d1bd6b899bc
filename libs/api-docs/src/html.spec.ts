import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { breakable, html, inline, prose } from './html';

describe('html', () => {
  test('shows any text as it is, in content and in attributes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const made = html`<p title="${text}">${text}</p>`.text;
        const [, title = '', content = ''] = /^<p title="([^"]*)">([^<]*)<\/p>$/s.exec(made) ?? [];
        expect([unescaped(title), unescaped(content)]).toEqual([text, text]);
      }),
    );
  });

  test('leaves HTML as it is, joins lists, and leaves out undefined', () => {
    expect(html`<b>${[html`<i>${1}</i>`, undefined, ['a', '&']]}</b>`.text).toBe('<b><i>1</i>a&amp;</b>');
  });

  test('renders paragraphs, code and emphasis of documentation', () => {
    expect(html`${prose('One `a<b`\nline.\n\nTwo **now**.')}`.text).toBe(
      '<p>One <code>a&lt;b</code>\nline.</p><p>Two <strong>now</strong>.</p>',
    );
    expect(html`${inline('a ` lone quote')}`.text).toBe('a ` lone quote');
  });

  test('lets a long name break between its words, and a short one nowhere', () => {
    expect(html`${breakable('com.acme.CustomerOwnership')}`.text).toBe(
      'com.<wbr />acme.<wbr />Customer<wbr />Ownership',
    );
    expect(html`${breakable('/api/gms')}`.text).toBe('/api/gms');
  });
});

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
