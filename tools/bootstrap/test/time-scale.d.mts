export declare function measureSlowness(): number;
export declare function timeScale(slowness?: number, loadPerCore?: number): number;
