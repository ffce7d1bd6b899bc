export declare const ROOT: string;
/** Bundles by name, each with the sources of which the first that exists makes it. */
export declare const BUNDLES: Readonly<Record<string, readonly string[]>>;
/** The bundles of the apps that make a distributed catalog. */
export declare const DISTRIBUTED_APPS: readonly string[];
