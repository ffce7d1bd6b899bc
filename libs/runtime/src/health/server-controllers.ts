import type { Type } from '@nestjs/common';
import { ConfigController } from './config.controller';
import { HealthController } from './health.controller';

/** The controllers that every process has, in reading order. */
export const SERVER_CONTROLLERS: readonly Type[] = [HealthController, ConfigController];
