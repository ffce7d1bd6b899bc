import { Controller, Module } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { createHttpApplication } from './create-http-application';
import { Action } from './route.decorators';
import { bootWire } from './testing/boot-wire';
import { SampleModule } from './testing/sample.module';

describe('the server', () => {
  it('bounds how long a client may take over its request', async () => {
    const { application } = await bootWire(SampleModule);
    const server = application.getHttpServer();
    expect([server.headersTimeout, server.requestTimeout]).toEqual([20_000, 60_000]);
    expect(server.timeout).toBeGreaterThan(server.requestTimeout);
    expect(server.maxConnections).toBe(4_096);
    await application.close();
  });

  it('does not start when two modules serve the same action', async () => {
    @Controller()
    class TwiceController {
      @Action('entities', 'search')
      search(): string {
        return 'again';
      }
    }
    @Module({ imports: [SampleModule], controllers: [TwiceController] })
    class TwiceModule {}

    const application = await createHttpApplication(TwiceModule, {
      auth: { mode: 'none', tokens: [] },
      onFault: () => undefined,
    });
    await expect(application.init()).rejects.toThrow('already declared');
    await application.close();
  });
});
