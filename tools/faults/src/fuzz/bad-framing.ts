/** Header lines that contradict the framing, or give a false host. */
export const BAD_LINES = [
  'Transfer-Encoding: chunked\r\nContent-Length: 5',
  'Content-Length: 5\r\nContent-Length: 6',
  'Content-Length: -1',
  'Content-Length: 99999999999999999999',
  'Content-Length: 4294967297',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding:\u000bchunked',
  'Host: a\r\nHost: b',
  'Host: [',
  'Host: evil.example:99999/\u0000',
  'Host:',
  'X\u0000: y',
  'X: \u0000',
  ' folded: x\r\n more',
  'no colon',
  `X-Long: ${'x'.repeat(20_000)}`,
  'X: y\nZ: lone line feed',
] as const;
/** Invalid request lines. */
export const BAD_STARTS = [
  'GET',
  'GET /',
  'GET / HTTP/0.9',
  'GET / HTTP/2.0',
  'PRI * HTTP/2.0',
  'get / HTTP/1.1',
  '\u0016\u0003\u0001\u0002',
] as const;
/** Invalid chunked bodies. */
export const BAD_CHUNKS = [
  'zz\r\n{}\r\n0\r\n\r\n',
  '-1\r\n',
  'ffffffffffffffff\r\n{}',
  '2;a="\u0000\r\n{}\r\n0\r\n\r\n',
  '2\r\n{}0\r\n\r\n',
] as const;
