import { Controller, Inject, Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { describe, expect, it } from '@jest/globals';
import { provideUseCases, type UseCase } from './use-case';

interface Deps {
  readonly greeting: string;
}
const greet = ({ greeting }: Deps, name: string): string => `${greeting}, ${name}`;
const part = ({ greeting }: Deps): string => `${greeting} and goodbye`;

@Controller()
class GreetingController {
  @Inject(greet) private readonly greet!: UseCase<typeof greet>;
  @Inject(part) private readonly part!: UseCase<typeof part>;

  say(name: string): readonly string[] {
    return [this.greet(name), this.part()];
  }
}

@Module({})
class GreetingModule {
  static over(...useCases: readonly ((deps: Deps, ...given: never[]) => unknown)[]): DynamicModule {
    const providers = provideUseCases({ greeting: 'Hello' }, ...useCases);
    return { module: GreetingModule, controllers: [GreetingController], providers };
  }
}

const create = (module: DynamicModule) =>
  NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });

describe('provideUseCases', () => {
  it('gives a controller its use cases with their dependencies', async () => {
    const context = await create(GreetingModule.over(greet, part));
    expect(context.get(GreetingController).say('reader')).toEqual(['Hello, reader', 'Hello and goodbye']);
    await context.close();
  });

  it('stops the start, and names the use case, when a controller needs one that is not provided', async () => {
    await expect(create(GreetingModule.over(greet))).rejects.toThrow(
      /dependencies of the GreetingController.*part/s,
    );
  });
});
