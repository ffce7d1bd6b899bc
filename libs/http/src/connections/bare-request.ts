/** A request without body whose target Node's parser rejects. */
export interface BareRequest {
  readonly method: 'GET' | 'HEAD' | 'DELETE';
  /** One character per byte, blanks escaped. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

const REQUEST_LINE = /^(GET|HEAD|DELETE) (\/[^\r\n]*?) *HTTP\/1\.[01]$/;
const BODY_HEADERS = /^(?:content-length|transfer-encoding)$/;
const BLANK = / /g;

/**
 * Parses a complete request head. Node's parser accepts neither bytes beyond ASCII nor blanks in a target,
 * yet command lines send such urns.
 *
 * **Errors**: `undefined` unless the packet is exactly one such head; any other fault stays an error.
 */
export function readBareRequest(packet: Buffer | undefined): BareRequest | undefined {
  const text = packet?.toString('latin1') ?? '';
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1 || headEnd + 4 !== text.length) return undefined;
  const [requestLine = '', ...lines] = text.slice(0, headEnd).split('\r\n');
  const match = REQUEST_LINE.exec(requestLine);
  if (match === null) return undefined;
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colonAt = line.indexOf(':');
    if (colonAt < 1) return undefined;
    const name = line.slice(0, colonAt).toLowerCase();
    const value = line.slice(colonAt + 1).trim();
    if (BODY_HEADERS.test(name) && value !== '0') return undefined;
    headers[name] = value;
  }
  const [, method, target = ''] = match;
  return { method: method as BareRequest['method'], target: target.replace(BLANK, '%20'), headers };
}
