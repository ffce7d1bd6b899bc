/** Bounds of a definition. Beyond one of them the definition is rejected. */

/** **Units**: bytes of UTF-8. */
export const MAX_DEFINITION_BYTES = 65_536;
/** Predicates within predicates. */
export const MAX_PREDICATE_DEPTH = 16;
/** Predicates of a definition, each `and`, `or`, `not`, quantifier and comparison counted. */
export const MAX_PREDICATES = 200;
/** Operands of one comparison. */
export const MAX_OPERANDS = 1_000;
/** Names of one path. */
export const MAX_PATH_NAMES = 32;
/** Entities that a path follows, one after the other. */
export const MAX_REFERENCES = 3;
/** Faults that a check lists; more would tell the caller nothing new. */
export const MAX_FAULTS = 20;
/** Entity types of one definition. */
export const MAX_TYPES = 200;
/** Instructions of one compiled pattern. */
export const MAX_PATTERN_SIZE = 2_000;
export const MAX_PATTERN_CHARACTERS = 1_000;
/** Patterns of one definition, and what it may cost to compile them together, in instructions. */
export const MAX_PATTERNS = 50;
export const MAX_PATTERN_COST = 20_000;
/** Actions of one list. */
export const MAX_ACTIONS = 100;
/** Values of one action. */
export const MAX_ACTION_VALUES = 100;
/** Characters of the note of a deprecation. */
export const MAX_NOTE_CHARACTERS = 10_000;
/** Longest range of timeseries values. **Units**: days. */
export const MAX_RANGE_DAYS = 366;

/** Bounds of an evaluation. Beyond one of them the result of the test is an error. */

/** Values that one path leads to. */
export const MAX_VALUES = 10_000;
/** Aspects and ranges of timeseries values that one test reads for one entity. */
export const MAX_READS = 2_000;
/** Values of one range of timeseries values. */
export const MAX_RANGE_VALUES = 1_000;
/** Steps of one evaluation: an instruction of a pattern at a character is one, a value that is read a few. About 100 ms. */
export const MAX_STEPS = 5_000_000;
