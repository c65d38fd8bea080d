export function buildPlayground(options: { root: string; dist?: string; docs?: string }): Promise<void>;
