import type { JsonObject, JsonValue } from '@stratalog/json';
import * as z from 'zod';

/** Types of members of answers that plain zod lacks, or that many answers have. Answers are described, and not parsed. */

/** A number of things. */
export const COUNT = z.int().min(0);

/** A whole number of 64 bits, such as a time. */
export const INT64 = z.int().meta({ format: 'int64' });

/** An object whose members the model decides, or another page describes. */
export const JSON_OBJECT = z.custom<JsonObject>().meta({ type: 'object' });

/** Any value. */
export const JSON_VALUE = z.custom<JsonValue>();
