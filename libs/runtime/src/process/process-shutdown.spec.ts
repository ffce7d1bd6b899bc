import { Module, type DynamicModule } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { createHttpApplication } from '@stratalog/http';
import { LogServer } from '@stratalog/log-transport';
import type { SubscriptionStatus } from '@stratalog/ports';
import { ProcessShutdown } from './process-shutdown';

const NO_LOG = {
  consume: (): never => {
    throw new Error('Nothing is consumed here');
  },
};

@Module({})
class ProcessModule {
  static over(shutdown: ProcessShutdown): DynamicModule {
    return { module: ProcessModule, providers: [{ provide: ProcessShutdown, useValue: shutdown }] };
  }
}

describe('ProcessShutdown', () => {
  const stop = async (
    failing?: string,
  ): Promise<{ readonly steps: readonly string[]; readonly failed: unknown }> => {
    const steps: string[] = [];
    const part = (name: string) => ({
      stop: () => {
        steps.push(name);
        return name === failing ? Promise.reject(new Error(`${name} fails`)) : Promise.resolve();
      },
    });
    const failures: unknown[] = [];
    const shutdown = new ProcessShutdown(
      {
        health: {
          enter: (phase) => {
            steps.push(phase);
          },
        },
        readiness: part('readiness'),
        open: { close: part('servers').stop },
      },
      failures,
    );
    shutdown.heartbeat = { ...part('heartbeat'), instances: () => undefined };
    shutdown.metrics = part('metrics');
    shutdown.faultLog = part('fault log');
    shutdown.signal.addEventListener('abort', () => steps.push('abort'));
    const application = await createHttpApplication(ProcessModule.over(shutdown), {
      auth: { mode: 'none', urnNamespace: 'li', tokens: [] },
      onFault: () => undefined,
    });
    const logs = new LogServer({ proposals: NO_LOG, changes: NO_LOG }, (cause) => failures.push(cause));
    const status = (): SubscriptionStatus => ({ state: 'running' });
    logs.add([
      { name: 'consumers', subscription: { ...part('consumers'), start: () => Promise.resolve(), status } },
    ]);
    application.connectMicroservice({ strategy: logs });
    await application.listen(0, '127.0.0.1');
    await application.startAllMicroservices();
    application.getHttpServer().on('close', () => steps.push('requests'));
    await application.close();
    try {
      shutdown.rejectFailed();
      return { steps, failed: undefined };
    } catch (error) {
      return { steps, failed: error };
    }
  };
  const ORDER = [
    'stopping',
    'abort',
    'fault log',
    'heartbeat',
    'requests',
    'consumers',
    'readiness',
    'metrics',
    'servers',
  ];

  it('stops everything in order when Nest closes the application', async () => {
    expect(await stop()).toEqual({ steps: ORDER, failed: undefined });
  });

  it('stops the rest when one fails, and reports the failure', async () => {
    for (const failing of ['fault log', 'heartbeat', 'consumers', 'readiness', 'metrics', 'servers'])
      expect(await stop(failing)).toEqual({ steps: ORDER, failed: new Error(`${failing} fails`) });
  });
});
