import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  prefixOf,
  sendContent,
  wantsPage,
  type Content,
  type Input,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { NotFoundError } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import { DocsLibrary } from './docs-library';
import {
  READ_ASPECT_PAGE,
  READ_ASSET,
  READ_ENTITY_PAGE,
  READ_ICON,
  READ_INDEX,
  READ_OPENAPI,
  READ_ROOT,
} from './docs.routes';

/**
 * The documentation of the interface, for people in a browser and for tools. It is public in every mode,
 * because a browser opens an address without a token. It shows the model of metadata, and no metadata.
 *
 * **Source**: `docs/wire-decisions.md`, Reading.
 */
@Controller()
export class DocsController {
  constructor(@Inject(DocsLibrary) private readonly library: DocsLibrary) {}

  /** Redirects a browser to the pages of the catalog, and gives a program the links. */
  @Route(READ_ROOT)
  root(
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): JsonOutputObject | undefined {
    const prefix = prefixOf(request.originalUrl);
    void reply.header('vary', 'accept');
    if (!wantsPage(request)) return this.library.links(prefix);
    void reply.code(302).header('location', `${prefix}/ui/`);
    return undefined;
  }

  /** Browsers request it with every page. */
  @Route(READ_ICON)
  icon(@Req() request: WireRequest, @Res() reply: WireReply): void {
    sendContent(request, reply, this.library.icon());
  }

  @Route(READ_INDEX)
  index(@Req() request: WireRequest, @Res() reply: WireReply): void {
    sendPage(request, reply, this.library.index());
  }

  @Route(READ_ENTITY_PAGE)
  entity(
    @Parameters() { name }: Input<typeof READ_ENTITY_PAGE>,
    @Req() request: WireRequest,
    @Res() reply: WireReply,
  ): void {
    sendPage(request, reply, this.library.entity(name));
  }

  @Route(READ_ASPECT_PAGE)
  aspect(
    @Parameters() { name }: Input<typeof READ_ASPECT_PAGE>,
    @Req() request: WireRequest,
    @Res() reply: WireReply,
  ): void {
    sendPage(request, reply, this.library.aspect(name));
  }

  @Route(READ_ASSET)
  asset(
    @Parameters() { name }: Input<typeof READ_ASSET>,
    @Req() request: WireRequest,
    @Res() reply: WireReply,
  ): void {
    const asset = this.library.asset(name);
    if (asset === undefined) throw new NotFoundError(`The documentation has no file ${name}`);
    sendContent(request, reply, asset);
  }

  @Route(READ_OPENAPI)
  openApi(@Req() request: WireRequest, @Res() reply: WireReply): void {
    sendContent(request, reply, this.library.openApi());
  }
}

/** Links in pages are relative to an address without a slash at its end. */
function sendPage(request: WireRequest, reply: WireReply, page: Content): void {
  const path = request.originalUrl.split('?', 1)[0] ?? '';
  const name = /([^/]+)\/+$/.exec(path)?.[1];
  if (name === undefined) {
    sendContent(request, reply, page);
    return;
  }
  void reply.code(308).header('location', `../${name}`).send();
}
