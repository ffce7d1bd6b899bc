import { UnreadableInputError, checkRecordSize, type RecordSplitter } from './record-splitter';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The four characters that JSON allows between values; the language's own `trim` removes more. */
const BLANK = /^[ \t\n\r]*$/;

/**
 * Splits the text of one JSON array into the texts of its elements while the text arrives, so that a file of
 * any size needs memory for one element only.
 *
 * It tracks strings and nesting only; the parser of an element decides whether it is JSON. Together they
 * accept exactly the same texts as a parser of the whole, because a misplaced bracket ends up inside an
 * element or is detected here.
 *
 * **Errors**: {@link UnreadableInputError} when the text cannot be one array.
 */
export class ArraySplitter implements RecordSplitter {
  /** 0 before and after the array, 1 between its elements, more inside one. */
  private depth = 0;
  private ended = false;
  private inString = false;
  private escaped = false;
  /** The part of the current element from earlier chunks. */
  private held = '';
  private elements = 0;

  *push(chunk: string): Generator<string, void, undefined> {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (this.inString) {
        if (this.escaped) this.escaped = false;
        else if (code === BACKSLASH) this.escaped = true;
        else if (code === QUOTE) this.inString = false;
      } else if (this.depth === 0) {
        this.outside(chunk.charAt(at));
        from = at + 1;
      } else if (code === QUOTE) {
        this.inString = true;
      } else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
        this.depth++;
      } else if (this.depth > 1) {
        if (code === CLOSE_BRACKET || code === CLOSE_BRACE) this.depth--;
      } else if (code === COMMA || code === CLOSE_BRACKET) {
        const element = this.held + chunk.slice(from, at);
        this.held = '';
        from = at + 1;
        if (this.isElement(element, code === CLOSE_BRACKET)) yield element;
      } else if (code === CLOSE_BRACE) {
        throw new UnreadableInputError(`"}" closes nothing after element ${String(this.elements)}`);
      }
    }
    this.held += chunk.slice(from);
    checkRecordSize(this.held, `element ${String(this.elements)}`);
  }

  end(): Iterable<string> {
    if (this.ended) return [];
    const place = BLANK.test(this.held) ? 'after' : 'inside';
    const element = place === 'after' ? this.elements - 1 : this.elements;
    throw new UnreadableInputError(
      this.elements === 0 && place === 'after'
        ? 'the array is cut off before its first element: the file is not whole'
        : `the array is cut off ${place} element ${String(element)}, counted from 0: the file is not whole`,
    );
  }

  private outside(character: string): void {
    if (BLANK.test(character)) return;
    if (character === '[' && !this.ended) this.depth = 1;
    else if (this.ended) throw new UnreadableInputError('there is text after the end of the array');
    else throw new UnreadableInputError('the text is no array');
  }

  /** False for the empty text between the brackets of an empty array. */
  private isElement(text: string, last: boolean): boolean {
    const blank = BLANK.test(text);
    if (blank && (!last || this.elements > 0)) {
      throw new UnreadableInputError(
        `a value is missing next to a comma after element ${String(this.elements)}`,
      );
    }
    if (!blank) this.elements++;
    if (last) {
      this.depth = 0;
      this.ended = true;
    }
    return !blank;
  }
}
