import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  actorOf,
  setPosition,
  type Input,
  type UseCase,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { DEFINITION_SCHEMA } from '@stratalog/metadata-tests';
import type { JsonOutputObject } from '@stratalog/json';
import {
  evaluateTests,
  evaluateTestsOfEach,
  type EvaluationAnswer,
  type TestSelection,
} from './evaluate-tests';
import { BATCH_EVALUATE, EVALUATE, EVALUATE_ALL, TEST_SCHEMA, TRY_DEFINITION } from './metadata-tests.routes';
import { startEvaluation } from './start-evaluation';
import { tryDefinition } from './try-definition';

/** Evaluates metadata tests. */
@Controller()
export class MetadataTestsController {
  @Inject(evaluateTests) private readonly evaluateTests!: UseCase<typeof evaluateTests>;
  @Inject(evaluateTestsOfEach) private readonly evaluateTestsOfEach!: UseCase<typeof evaluateTestsOfEach>;
  @Inject(startEvaluation) private readonly startEvaluation!: UseCase<typeof startEvaluation>;
  @Inject(tryDefinition) private readonly tryDefinition!: UseCase<typeof tryDefinition>;

  @Route(EVALUATE)
  async evaluate(
    @Parameters() parameters: Input<typeof EVALUATE>,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutputObject> {
    return answer(reply, await this.evaluateTests(parameters.urn, toSelection(parameters)));
  }

  @Route(BATCH_EVALUATE)
  async batchEvaluate(
    @Parameters() parameters: Input<typeof BATCH_EVALUATE>,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutputObject> {
    return answer(reply, await this.evaluateTestsOfEach(parameters.urns, toSelection(parameters)));
  }

  @Route(EVALUATE_ALL)
  evaluateAll(
    @Parameters() { entityTypes, urns, query, dryRun = false, ...named }: Input<typeof EVALUATE_ALL>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    return this.startEvaluation(
      { tests: toNamed(named), entityTypes, urns, query, dryRun },
      actorOf(request),
    );
  }

  @Route(TRY_DEFINITION)
  try(@Parameters() { definition, urns }: Input<typeof TRY_DEFINITION>): Promise<JsonOutputObject> {
    return this.tryDefinition(definition, urns);
  }

  @Route(TEST_SCHEMA)
  schema(@Res({ passthrough: true }) reply: WireReply): JsonOutputObject {
    void reply.header('content-type', 'application/schema+json');
    return DEFINITION_SCHEMA;
  }
}

function answer(reply: WireReply, { results, position }: EvaluationAnswer): JsonOutputObject {
  if (position !== undefined) setPosition(reply, position);
  return results;
}

function toSelection({
  push,
  shouldPush,
  dryRun,
  explain,
  ...named
}: Omit<Input<typeof EVALUATE>, 'urn'>): TestSelection {
  return { tests: toNamed(named), push: push || shouldPush, dryRun, explain: explain || dryRun };
}

/** Clients name the parameter in either way. */
function toNamed({
  tests,
  testUrns,
}: Pick<Input<typeof EVALUATE>, 'tests' | 'testUrns'>): readonly string[] | undefined {
  return tests === undefined && testUrns === undefined ? undefined : [...(tests ?? []), ...(testUrns ?? [])];
}
