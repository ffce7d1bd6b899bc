import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  namesType,
  sendJson,
  type Input,
  type UseCase,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { stringifyJson } from '@stratalog/json';
import { JSON_LINES, LIST_AUDIT } from './audit.routes';
import { exportAudit, listAudit } from './list-audit';

/** Lists and exports the recorded calls. */
@Controller()
export class AuditController {
  @Inject(listAudit) private readonly listAudit!: UseCase<typeof listAudit>;
  @Inject(exportAudit) private readonly exportAudit!: UseCase<typeof exportAudit>;

  @Route(LIST_AUDIT)
  async list(
    @Parameters() { count, format, from, to, ...query }: Input<typeof LIST_AUDIT>,
    @Req() request: WireRequest,
    @Res() reply: WireReply,
  ): Promise<void> {
    const selection = { ...query, fromMs: from, toMs: to, limit: count };
    const { accept } = request.headers;
    if (format === undefined ? !namesType(accept, JSON_LINES) : format === 'json') {
      sendJson(reply, stringifyJson(await this.listAudit(selection)));
      return;
    }
    // The answer to HEAD would be read to its end, and be thrown away.
    const lines = request.method === 'HEAD' ? '' : await this.exportAudit(selection);
    void reply.header('content-type', JSON_LINES).send(lines);
  }
}
