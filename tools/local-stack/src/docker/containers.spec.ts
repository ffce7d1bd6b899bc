import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { IMAGES, engineContainer, kafkaContainer, postgresContainer } from './containers';

const COMPOSE = join(import.meta.dirname, '../../../../docker-compose.yml');

describe('the containers of the local stack', () => {
  it.each(['kafka', 'opensearch', 'postgres'] as const)('run the image of the compose file: %s', (name) => {
    expect(readFileSync(COMPOSE, 'utf8')).toContain(`image: ${IMAGES[name]}@sha256:`);
  });

  it('tell Kafka the address at which clients of this machine find it', () => {
    const { environment } = kafkaContainer(23_456);
    expect(environment).toMatchObject({
      KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://127.0.0.1:23456,INSIDE://127.0.0.1:9094',
      KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://127.0.0.1:9093,INSIDE://127.0.0.1:9094',
      KAFKA_INTER_BROKER_LISTENER_NAME: 'INSIDE',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      KAFKA_PROCESS_ROLES: 'broker,controller',
    });
  });

  it('create no index automatically', () => {
    for (const kind of ['opensearch', 'elasticsearch'] as const)
      expect(engineContainer(kind, 1).environment).toMatchObject({ 'action.auto_create_index': 'false' });
  });

  it.each([
    [true, []],
    [false, ['-c', 'fsync=off']],
  ])('keep to durable writes where data are kept: %s', (isKept, expected) => {
    const { command = [] } = postgresContainer({ name: 'n', password: 'p', isKept });
    expect(command.slice(0, 3)).toEqual(['postgres', '-c', 'max_connections=200']);
    expect(command.slice(3, 5)).toEqual(expected);
  });
});
