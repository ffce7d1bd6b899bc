import { readHostileHeaders, type SeededRandom } from '@stratalog/harness';
import { stringifyJson } from '@stratalog/json';
import { BAD_CHUNKS, BAD_LINES, BAD_STARTS } from './bad-framing';
import type { Operation, Parameter } from './catalog-operations';
import { hostileJson, hostileText, mutated } from './hostile-values';

const HOSTILE_HEADERS = readHostileHeaders();

/** Bytes that are sent over a connection at once. */
export interface HostileSend {
  readonly bytes: Buffer;
  /** The number of requests that start in it. */
  readonly requests: number;
  /**
   * The client's behaviour after sending: it waits for all answers; waits a short time for any bytes, when
   * the number of requests is unclear; hangs up at once; or half-closes and waits a short time.
   */
  readonly then: 'wait' | 'look' | 'reset' | 'half-close';
}

/** Behaviours of a client, by weight. */
const KINDS = { plain: 72, pipelined: 8, malformed: 9, reset: 6, 'half-close': 5 };
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'] as const;
const PREFIXES = ['', '', '', '', '/gms', '//', '/..', 'http://evil.example'] as const;
const MOST_PIPELINED = 6;
/** Generates the sends of hostile clients; deterministic for the same random numbers. */
export class HostileRequests {
  constructor(
    private readonly operations: readonly [Operation, ...Operation[]],
    private readonly random: SeededRandom,
  ) {}

  /** With at most `most` requests. */
  next(most: number): HostileSend {
    const { random } = this;
    const kind = random.weighted(KINDS);
    switch (kind) {
      case 'plain':
        return { bytes: bytesOf(this.wellFramed()), requests: 1, then: 'wait' };
      case 'pipelined': {
        const requests = Math.min(most, random.integer(2, MOST_PIPELINED));
        const text = Array.from({ length: requests }, () => this.wellFramed()).join('');
        return { bytes: bytesOf(text), requests, then: 'look' };
      }
      case 'malformed':
        return { bytes: bytesOf(this.malformed()), requests: 1, then: 'look' };
      case 'reset':
      case 'half-close': {
        const bytes = bytesOf(this.wellFramed());
        const length = random.chance(0.5) ? bytes.length : random.integer(1, bytes.length);
        return { bytes: bytes.subarray(0, length), requests: 1, then: kind };
      }
    }
  }

  /** As latin1, one character for each byte. */
  private wellFramed(): string {
    const { random } = this;
    const operation = random.pick(this.operations);
    const method = random.chance(0.85) ? operation.method : random.pick(METHODS);
    const target = this.targetOf(operation);
    const own = operation.parameters.filter(({ in: where }) => where === 'header' && random.chance(0.2));
    const headers = [
      'Host: 127.0.0.1',
      ...own.map(({ name }) => `${name}: ${headerText(hostileText(random))}`),
      ...this.hostileLines(4),
    ];
    return `${method} ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n${this.framedBody(operation)}`;
  }

  private malformed(): string {
    const { random } = this;
    switch (random.weighted({ line: 4, start: 1, chunk: 2, noise: 1 })) {
      case 'line': {
        const [start = '', ...lines] = this.wellFramed().split('\r\n');
        return [start, random.pick(BAD_LINES), ...lines].join('\r\n');
      }
      case 'start':
        return `${random.pick(BAD_STARTS)}\r\nHost: x\r\n\r\n`;
      case 'chunk': {
        const target = this.targetOf(random.pick(this.operations));
        return `POST ${target} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${random.pick(BAD_CHUNKS)}`;
      }
      case 'noise':
        return String.fromCharCode(
          ...Array.from({ length: random.integer(1, 200) }, () => random.integer(0, 255)),
        );
    }
  }

  private targetOf({ path, action, parameters }: Operation): string {
    const { random } = this;
    const filled = path.replace(/\{(\w+)\}/g, () => this.spelled(hostileText(random)));
    const asked = parameters.filter(({ in: where }) => where === 'query' && random.chance(0.8));
    const query = [
      ...(action === undefined
        ? []
        : [`action=${random.chance(0.97) ? action : this.spelled(hostileText(random))}`]),
      ...asked.map((parameter) => `${parameter.name}=${this.valueOf(parameter)}`),
      ...(random.chance(0.1)
        ? [`${this.spelled(hostileText(random))}=${this.spelled(hostileText(random))}`]
        : []),
    ];
    const prefix = random.chance(0.1) ? random.pick(PREFIXES) : '';
    return `${prefix}${filled}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  }

  private valueOf({ allowed }: Parameter): string {
    const { random } = this;
    const [first, ...others] = allowed;
    if (first !== undefined && random.chance(0.7)) return random.pick([first, ...others]);
    if (random.chance(0.4)) return String(random.integer(-2, 20));
    const text = this.spelled(hostileText(random));
    return random.chance(0.3) ? `List(${text})` : text;
  }

  /** Mostly encoded; else unchanged, as far as a target permits. */
  private spelled(text: string): string {
    if (this.random.chance(0.9)) return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '%'));
    return withoutBytes(text, (byte) => byte <= 0x20 || byte === 0x7f, '%00');
  }

  private framedBody({ bodies }: Operation): string {
    const { random } = this;
    const [first, ...others] = bodies;
    if (first === undefined && random.chance(0.8)) return '\r\n';
    const body = latin1(this.bodyLike(first === undefined ? undefined : random.pick([first, ...others])));
    if (random.chance(0.7)) return `Content-Length: ${body.length}\r\n\r\n${body}`;
    const trailers = random.chance(0.5) ? this.hostileLines(2).map((line) => `${line}\r\n`) : [];
    const chunk = body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`;
    return `Transfer-Encoding: chunked\r\n\r\n${chunk}0\r\n${trailers.join('')}\r\n`;
  }

  private bodyLike(example: Operation['bodies'][number] | undefined): string {
    const { random } = this;
    const kind = random.weighted({ example: 3, near: 8, json: 2, 'cut off': 1, nul: 1, text: 1 });
    if (kind === 'text') return hostileText(random);
    if (example === undefined || kind === 'json') return jsonText(() => hostileJson(random));
    if (kind === 'near') return jsonText(() => mutated(random, example));
    const text = stringifyJson(example);
    const at = random.integer(0, text.length);
    if (kind === 'cut off') return text.slice(0, at);
    return kind === 'nul'
      ? `${text.slice(0, at)}${random.pick(['\u0000', '\\u0000'])}${text.slice(at)}`
      : text;
  }

  private hostileLines(most: number): readonly string[] {
    const { random } = this;
    if (random.chance(0.4)) return [];
    return Array.from({ length: random.integer(1, most) }, () => {
      const [name, values] = random.pick(HOSTILE_HEADERS);
      return `${name}: ${random.chance(0.85) ? random.pick(values) : headerText(hostileText(random))}`;
    });
  }
}

/** UTF-8, one character for each byte. */
function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/** UTF-8 in latin1 again, with a replacement for some bytes. */
function withoutBytes(text: string, isUnwanted: (byte: number) => boolean, instead: string): string {
  const bytes = [...Buffer.from(text)];
  return bytes.map((byte) => (isUnwanted(byte) ? instead : String.fromCharCode(byte))).join('');
}

/** Without characters that would end the line or the head: the malformed sends cover those. */
function headerText(text: string): string {
  return withoutBytes(text, (byte) => (byte < 0x20 && byte !== 9) || byte === 0x7f, '?');
}

/** Some generated values have no JSON. */
function jsonText(make: () => Parameters<typeof stringifyJson>[0]): string {
  try {
    return stringifyJson(make());
  } catch {
    return '{';
  }
}
