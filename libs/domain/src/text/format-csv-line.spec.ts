import { expect, it } from '@jest/globals';
import { formatCsvLine } from './format-csv-line';

it.each([
  [['urn:li:tag:a', '', 'b'], 'urn:li:tag:a,,b\r\n'],
  [['a,b', 'c "d"', 'e\nf', 'g\rh'], '"a,b","c ""d""","e\nf","g\rh"\r\n'],
  [['=1+1', '+1', '-1', '@x', '\t=1', '\r=1'], "'=1+1,'+1,'-1,'@x,'\t=1,\"'\r=1\"\r\n"],
  [['="a,b"', 'a=1', '1-1'], '"\'=""a,b""",a=1,1-1\r\n'],
])('cells %j are a line of which no cell is a formula', (cells, line) => {
  expect(formatCsvLine(cells)).toBe(line);
});
