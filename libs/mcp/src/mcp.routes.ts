import { JSON_OBJECT, content, defineRoute, oneOf, text } from '@stratalog/http';
import * as z from 'zod';

const VERSIONS = ['2.0'] as const;
/** Longer than the name of any method. */
const MAX_METHOD_BYTES = 200;
const ID = z.union([z.string(), z.int()]);

export const CALL_MCP = defineRoute({
  path: 'mcp',
  method: 'POST',
  app: 'query',
  // What a tool calls has an effect of its own, and a scope for it.
  writes: false,
  touches: 'proposals',
  resourceMetadata: '.well-known/oauth-protected-resource/mcp',
  inBody: ['jsonrpc', 'id', 'method', 'params'],
  parameters: z.object({
    jsonrpc: oneOf(VERSIONS, (sent) => ({
      message: `Parameter 'jsonrpc' is "${sent.slice(0, 100)}"; allowed: ${VERSIONS.join(', ')}`,
    })).describe('Version of JSON-RPC.'),
    id: ID.optional().describe(
      'Number or text by which the caller knows the answer; a message without one gets none.',
    ),
    method: text(MAX_METHOD_BYTES)
      .min(1)
      .refine((sent) => !sent.includes('\0'), { error: 'has a NUL character' })
      .describe('Name of the method, such as `tools/call`.'),
    params: content(JSON_OBJECT).optional().describe('Parameters of the method.'),
  }),
  docs: {
    group: 'Assistants',
    summary: 'Send a message of the Model Context Protocol',
    description: `Serves AI assistants: each tool makes calls of this interface, with the caller's rights and limits. There are no sessions and no streams, so \`GET\` is a 405.
The page of the documentation about MCP lists the tools.`,
    answer: {
      description: 'The answer of JSON-RPC; a message without an `id` has none, and the status 202.',
      schema: z.object({
        jsonrpc: z.enum(VERSIONS),
        id: ID,
        result: JSON_OBJECT.optional(),
        error: z.object({ code: z.int(), message: z.string() }).optional(),
      }),
    },
    rejections: { 400: 'The body is no message of JSON-RPC.' },
    examples: [
      { title: 'The tools', body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
      {
        title: 'A search',
        body: {
          jsonrpc: '2.0',
          id: 2,
          method: 'tools/call',
          params: { name: 'search', arguments: { query: 'example' } },
        },
      },
    ],
  },
});
