import { checkRecordSize, type RecordSplitter } from './record-splitter';

const BLANK = /^[ \t\r]*$/;

/**
 * Splits JSON lines into records and skips blank lines. Only a line feed ends a line: JSON strings may hold
 * U+2028 and U+2029 unescaped, which Node's own line reader treats as line ends.
 */
export class LineSplitter implements RecordSplitter {
  private held = '';
  private lines = 0;

  *push(chunk: string): Generator<string, void, undefined> {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      const line = this.held + chunk.slice(from, end);
      this.held = '';
      this.lines++;
      if (!BLANK.test(line)) yield line;
      from = end + 1;
    }
    this.held += chunk.slice(from);
    checkRecordSize(this.held, `line ${String(this.lines + 1)}`);
  }

  end(): Iterable<string> {
    return BLANK.test(this.held) ? [] : [this.held];
  }
}
