import type { Component } from 'vue';
import ReportIcon from '~icons/lucide/chart-column';
import AccountIcon from '~icons/lucide/circle-user-round';
import HistoryIcon from '~icons/lucide/history';
import BulkIcon from '~icons/lucide/list-checks';
import ReplyIcon from '~icons/lucide/message-square-reply';
import ItemsIcon from '~icons/lucide/package';

import type { DeskSection } from '#components/desk/route';

export const sectionIcons: Readonly<Record<DeskSection, Component>> = {
  bulk: BulkIcon,
  items: ItemsIcon,
  account: AccountIcon,
  history: HistoryIcon,
  report: ReportIcon,
  reply: ReplyIcon,
};
