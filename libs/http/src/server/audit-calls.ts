import type { Principal } from '@stratalog/domain';
import type { JsonObject, JsonOutputObject } from '@stratalog/json';
import { pause } from '@stratalog/concurrency';
import type { AuditOutcome, AuditedCall } from '@stratalog/ports';
import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import { readSource } from '../request/parameters.decorator';
import { readClientAddress } from './client-address';
import type { WireReply, WireRequest } from '../request/wire';
import { nameRoute } from '../request/route-name';
import { recordParameters } from './recorded-parameters';
import { RepeatedCalls } from './repeated-calls';

/** Records a call. It must not reject. */
export type RecordCall = (call: AuditedCall) => Promise<void>;

/** An answer waits so long for its record: a database that stands still must not hold answers. The record may come later. */
const RECORD_WAIT_MS = 2_000;

/** Most proposals of a batch that its record names. */
const MAX_NAMED = 20;

/** Statuses of calls that were rejected whatever they ask for: no valid token, no right, too many calls. */
const REJECTING: ReadonlySet<number> = new Set([401, 403, 429]);

/**
 * Records administrative calls, calls that destroy or change a policy, and rejected calls, before their answers are sent. Calls that may have
 * changed something have a record each; reads and rejected calls share records, so that they cannot fill the store.
 *
 * `anonymous` is the caller of a call that was rejected before its caller was known.
 */
export function auditCalls(instance: FastifyInstance, record: RecordCall, anonymous: Principal): void {
  // Apart, so that neither can hide the other.
  const shared = { read: new RepeatedCalls(record), rejected: new RepeatedCalls(record) };
  instance.addHook('onSend', (request, reply, payload, done) => {
    const how = chooseRecord(request.routeOptions.config, reply.statusCode, request.audited !== null);
    if (how === 'none') {
      done(null, payload);
      return;
    }
    const call = toAuditedCall(request, reply, anonymous);
    const recorded = new AbortController();
    const recording = (how === 'own' ? record(call) : shared[how].add(call)).finally(() => {
      recorded.abort();
    });
    void Promise.race([recording, pause(RECORD_WAIT_MS, recorded.signal)]).then(() => {
      done(null, payload);
    });
  });
  instance.addHook('onClose', async () => {
    await Promise.all([shared.read.flush(), shared.rejected.flush()]);
  });
}

/** How a call is recorded: on its own, together with other reads or rejected calls like it, or not at all. */
export function chooseRecord(
  { access, effect, writes = true }: FastifyContextConfig,
  status: number,
  hasAuditedProposals = false,
): 'own' | 'read' | 'rejected' | 'none' {
  if (REJECTING.has(status)) return 'rejected';
  if (hasAuditedProposals || effect === 'destroys' || (access === 'administrative' && writes)) return 'own';
  return access === 'administrative' ? 'read' : 'none';
}

function toAuditedCall(request: WireRequest, reply: WireReply, anonymous: Principal): AuditedCall {
  const { actor, kind, id = kind === 'operator' ? kind : undefined } = request.principal ?? anonymous;
  return {
    actor,
    ...(id === undefined ? {} : { token: id }),
    call: nameRoute(request) ?? request.method,
    parameters: toRecordedParameters(request),
    outcome: toOutcome(reply.statusCode),
    status: reply.statusCode,
    durationMs: reply.elapsedTime,
    address: readClientAddress(request),
  };
}

function toOutcome(status: number): AuditOutcome {
  if (status >= 500) return 'failed';
  return status >= 400 ? 'rejected' : 'done';
}

function toRecordedParameters(request: WireRequest): JsonObject {
  if (request.is404) return {};
  try {
    const parameters = recordParameters(readSource(request).sent as JsonOutputObject);
    const { audited } = request;
    // The beginning of a large batch need not name what the record is about.
    return audited === null || parameters.beginning === undefined
      ? parameters
      : recordParameters({
          proposals: audited.slice(0, MAX_NAMED).map(({ urn, changeType, aspectName }) => ({
            entityUrn: urn,
            changeType,
            aspectName,
          })),
          total: audited.length,
        });
  } catch {
    // A request whose parameters cannot be read was rejected.
    return {};
  }
}
