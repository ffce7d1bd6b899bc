/** The bundles of the apps that make a distributed catalog. */
export declare const DISTRIBUTED_APPS: readonly string[];
