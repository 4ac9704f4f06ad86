/** Names the lists that stand as one value each, so that their order and any change of them are written whole. */
export type ListName = 'connections' | 'authorities' | 'sites' | 'pinned-keys';
