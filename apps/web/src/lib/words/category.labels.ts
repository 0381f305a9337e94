import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { CategoryId } from '@nearhand/contract/people/taxonomy';

const categories: Record<CategoryId, MessageDescriptor> = {
  hospitality: msg`Hospitality`,
  retail: msg`Retail`,
  logistics: msg`Warehouse and logistics`,
  delivery: msg`Delivery and driving`,
  events: msg`Events`,
  cleaning: msg`Cleaning`,
  trades: msg`Trades and handiwork`,
  construction: msg`Construction`,
  gardening: msg`Gardening`,
  care: msg`Care`,
  education: msg`Teaching`,
  office: msg`Office`,
  technology: msg`Technology`,
  creative: msg`Creative`,
  beauty: msg`Beauty and fitness`,
  security: msg`Security`,
};

export const categoryText = (id: CategoryId): string => i18n._(categories[id]);

export const isCategory = (id: string | null): id is CategoryId =>
  id !== null && Object.hasOwn(categories, id);
