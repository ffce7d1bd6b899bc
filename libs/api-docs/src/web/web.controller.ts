import { Controller, Inject, Req, Res } from '@nestjs/common';
import { Route, prefixOf, sendContent, type WireReply, type WireRequest } from '@stratalog/http';
import { NotFoundError } from '@stratalog/domain';
import { READ_WEB_FILE, READ_WEB_PAGE } from './web.routes';
import { WebFiles } from './web-files';

/** The part of an address that names a file: hashed names alone have an ending like these. */
const FILE = /\/ui\/([\w.-]+\.(?:js|css|woff2))$/;

/** The web pages. They are public in every mode, because a browser opens an address without a token, and hold no metadata. */
@Controller()
export class WebController {
  constructor(@Inject(WebFiles) private readonly files: WebFiles) {}

  @Route(READ_WEB_PAGE)
  page(@Req() request: WireRequest, @Res() reply: WireReply): void {
    const page = this.files.page(prefixOf(request.originalUrl));
    if (page === undefined) void reply.code(503);
    sendContent(request, reply, page ?? this.files.waitingPage());
  }

  @Route(READ_WEB_FILE)
  file(@Req() request: WireRequest, @Res() reply: WireReply): void {
    const name = FILE.exec(request.originalUrl.split('?', 1)[0] ?? '')?.[1];
    if (name === undefined) {
      this.page(request, reply);
      return;
    }
    const file = this.files.file(name);
    if (file === undefined) throw new NotFoundError(`The web pages have no file ${name}`);
    sendContent(request, reply, file);
  }
}
