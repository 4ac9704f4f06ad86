/** Names where a stored record that cannot be read came from. */
export type QuarantineSource =
  | 'connections'
  | 'authorities'
  | 'sites'
  | 'pinned-keys'
  | 'jobs'
  | 'rows'
  | 'history'
  | 'history-settings'
  | 'secrets'
  | 'preferences'
  | 'reply-templates'
  | 'team';
