/**
 * The two pages of the settings, and the sections of each in reading order. An address leads to a page or to one of its
 * sections.
 */
export const settingPages = [
  {
    id: 'you',
    title: 'options.you',
    sections: [
      { id: 'connections', title: 'options.file.part.connections' },
      { id: 'key-storage', title: 'options.secrets.title' },
      { id: 'sites', title: 'options.sites.title' },
      { id: 'appearance', title: 'options.looks.title' },
      { id: 'diagnostics', title: 'options.care.title' },
    ],
  },
  {
    id: 'team-setup',
    title: 'options.teamSetup',
    sections: [
      { id: 'team', title: 'options.unreadable.source.team' },
      { id: 'authorities', title: 'options.file.part.authorities' },
      { id: 'file', title: 'options.file.title' },
    ],
  },
] as const;

export const settingSections = settingPages.flatMap(({ sections }) => [...sections]);
