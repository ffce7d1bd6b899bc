import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { toContent, type Content } from '@stratalog/http';
import { waitingPage } from './waiting-page';

const PAGE = 'index.html';
/** Beside the folder, after a build that failed. */
const FAILED = 'failed';
/** The address of a file changes with its content. */
const FILE_HEADERS = { 'cache-control': 'public, max-age=31536000, immutable' };
/** A page may load from and call this server only, and runs no inline scripts and styles: no text of a catalog can become a program. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
};

/**
 * The files of the web pages, read on first use and kept: a catalog that runs while they are built anew serves the files that belong
 * together.
 */
export class WebFiles {
  private readonly made = new Map<string, Content>();
  private files: ReadonlyMap<string, Buffer> | undefined;

  constructor(private readonly folder: string) {}

  /** The page for every address below `/ui`, with links that begin with `prefix`. `undefined`: nothing is built. */
  page(prefix: string): Content | undefined {
    const text = this.read().get(PAGE)?.toString('utf8');
    if (text === undefined) return undefined;
    return this.keep(`page ${prefix}`, () =>
      toContent('text/html; charset=utf-8', text.replaceAll('%ROOT%', prefix), PAGE_HEADERS),
    );
  }

  /** The page in place of every other one until they are built, or that says that this failed. */
  waitingPage(): Content {
    return waitingPage(existsSync(join(dirname(this.folder), FAILED)));
  }

  /** `undefined`: there is no such file. */
  file(name: string): Content | undefined {
    const contentType = CONTENT_TYPES[extname(name)];
    const bytes = this.read().get(name);
    if (contentType === undefined || bytes === undefined) return undefined;
    return this.keep(`file ${name}`, () => toContent(contentType, bytes, FILE_HEADERS));
  }

  private read(): ReadonlyMap<string, Buffer> {
    if (!existsSync(join(this.folder, PAGE))) return new Map();
    this.files ??= new Map(
      readdirSync(this.folder).map((name) => [name, readFileSync(join(this.folder, name))]),
    );
    return this.files;
  }

  private keep(key: string, make: () => Content): Content {
    const known = this.made.get(key);
    if (known !== undefined) return known;
    const content = make();
    this.made.set(key, content);
    return content;
  }
}
