import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  setAccepted,
  type Input,
  type WholeCatalog,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { RawJson, type JsonOutput } from '@stratalog/json';
import { clientFor } from './client-for';
import { CALL_MCP } from './mcp.routes';
import { answerMessage } from './protocol/answer-message';
import { listTools } from './tools/list-tools';

export const MCP_DEPS = Symbol('dependencies of the MCP server');

export interface McpDeps {
  /** The version that the server tells assistants. */
  readonly about: { readonly version: string };
  readonly mcp: {
    /** True: assistants may write, with the rights of their callers. */
    readonly hasWriteTools: boolean;
  };
  /** Where another process serves writes; `null`: no setting says it. */
  readonly wholeCatalog?: WholeCatalog | null;
}

/** The server of the Model Context Protocol: one message, one answer, and nothing kept in between. */
@Controller()
export class McpController {
  constructor(@Inject(MCP_DEPS) private readonly deps: McpDeps) {}

  @Route(CALL_MCP)
  async call(
    @Parameters() message: Input<typeof CALL_MCP>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput | undefined> {
    const { about, mcp, wholeCatalog } = this.deps;
    const answer = await answerMessage(message, {
      version: about.version,
      tools: listTools(mcp),
      client: clientFor(request, wholeCatalog),
      headers: request.headers,
    });
    if (answer !== undefined) return new RawJson(answer);
    setAccepted(reply);
    return undefined;
  }
}
