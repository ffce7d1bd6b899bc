import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { breakable, html, inline, prose } from './html';

describe('html', () => {
  test('given any text, then it comes out as that text, in content and in attributes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const made = html`<p title="${text}">${text}</p>`.text;
        const [, title = '', content = ''] = /^<p title="([^"]*)">([^<]*)<\/p>$/s.exec(made) ?? [];
        expect([unescaped(title), unescaped(content)]).toEqual([text, text]);
      }),
    );
  });

  test('given parts, then HTML stands as it is, lists are joined and undefined is nothing', () => {
    expect(html`<b>${[html`<i>${1}</i>`, undefined, ['a', '&']]}</b>`.text).toBe('<b><i>1</i>a&amp;</b>');
  });

  test('given documentation, then paragraphs, code and emphasis', () => {
    expect(html`${prose('One `a<b`\nline.\n\nTwo **now**.')}`.text).toBe(
      '<p>One <code>a&lt;b</code>\nline.</p><p>Two <strong>now</strong>.</p>',
    );
    expect(html`${inline('a ` lone quote')}`.text).toBe('a ` lone quote');
  });

  test('given a long name, then it may break between its words, while a short one never breaks', () => {
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
