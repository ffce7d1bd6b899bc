import { Controller, Delete, Get, Module } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { currentCaller } from '@stratalog/ports';
import type { RouteDocs } from './route-docs';
import { Action, Documented } from './route.decorators';
import { bootWire } from '../testing/boot-wire';

const DOCS: RouteDocs = { group: 'Server', summary: 'Say whether the call writes', examples: [] };

const answer = () => ({ writes: currentCaller()?.writes ?? null });

@Controller()
class SayingController {
  @Get('saying')
  read() {
    return answer();
  }

  @Delete('saying')
  remove() {
    return answer();
  }

  @Action('saying', 'says')
  act() {
    return answer();
  }

  @Documented(DOCS)
  @Action('saying', 'isTold')
  told() {
    return answer();
  }

  @Documented({ ...DOCS, onlyReads: true })
  @Action('saying', 'reads')
  reads() {
    return answer();
  }
}

@Module({ controllers: [SayingController] })
class SayingModule {}

describe('A call', () => {
  it('counts as a write, which outlives its client, unless it is a GET or its route only reads', async () => {
    const { application, get, post, send } = await bootWire(SayingModule);
    try {
      const removed = await send('DELETE /saying HTTP/1.1\r\nHost: catalog\r\n\r\n');
      expect([(await get('/saying')).body, removed.body]).toEqual(['{"writes":false}', '{"writes":true}']);
      const said = async (action: string) => (await post(`/saying?action=${action}`, '{}')).body;
      expect([await said('says'), await said('isTold'), await said('reads')]).toEqual([
        '{"value":{"writes":true}}',
        '{"value":{"writes":true}}',
        '{"value":{"writes":false}}',
      ]);
    } finally {
      await application.close();
    }
  });
});
