import { memo } from 'react';
import activity from 'lucide:activity';
import ban from 'lucide:ban';
import bookOpen from 'lucide:book-open';
import box from 'lucide:box';
import chartColumn from 'lucide:chart-column';
import check from 'lucide:check';
import chevronDown from 'lucide:chevron-down';
import chevronLeft from 'lucide:chevron-left';
import chevronRight from 'lucide:chevron-right';
import circleAlert from 'lucide:circle-alert';
import circleCheck from 'lucide:circle-check';
import circleX from 'lucide:circle-x';
import clock from 'lucide:clock';
import code from 'lucide:code';
import copy from 'lucide:copy';
import database from 'lucide:database';
import download from 'lucide:download';
import ellipsis from 'lucide:ellipsis';
import folder from 'lucide:folder';
import filter from 'lucide:funnel';
import gitFork from 'lucide:git-fork';
import hardDrive from 'lucide:hard-drive';
import history from 'lucide:history';
import house from 'lucide:house';
import inbox from 'lucide:inbox';
import info from 'lucide:info';
import key from 'lucide:key';
import layers from 'lucide:layers';
import layoutDashboard from 'lucide:layout-dashboard';
import link from 'lucide:link';
import listChecks from 'lucide:list-checks';
import loader from 'lucide:loader-circle';
import lock from 'lucide:lock';
import menu from 'lucide:menu';
import minus from 'lucide:minus';
import moon from 'lucide:moon';
import pause from 'lucide:pause';
import pencil from 'lucide:pencil';
import play from 'lucide:play';
import plus from 'lucide:plus';
import rotateCcw from 'lucide:rotate-ccw';
import scrollText from 'lucide:scroll-text';
import search from 'lucide:search';
import shieldCheck from 'lucide:shield-check';
import slidersHorizontal from 'lucide:sliders-horizontal';
import star from 'lucide:star';
import sun from 'lucide:sun';
import tag from 'lucide:tag';
import triangleAlert from 'lucide:triangle-alert';
import user from 'lucide:user';
import users from 'lucide:users';
import workflow from 'lucide:workflow';
import x from 'lucide:x';
import css from './icon.module.css';

/** All icons of the pages; add the import of another one here. */
const ICONS = {
  activity,
  ban,
  bookOpen,
  box,
  chartColumn,
  check,
  chevronDown,
  chevronLeft,
  chevronRight,
  circleAlert,
  circleCheck,
  circleX,
  clock,
  code,
  copy,
  database,
  download,
  ellipsis,
  folder,
  filter,
  gitFork,
  hardDrive,
  history,
  house,
  inbox,
  info,
  key,
  layers,
  layoutDashboard,
  link,
  listChecks,
  loader,
  lock,
  menu,
  minus,
  moon,
  pause,
  pencil,
  play,
  plus,
  rotateCcw,
  scrollText,
  search,
  shieldCheck,
  slidersHorizontal,
  star,
  sun,
  tag,
  triangleAlert,
  user,
  users,
  workflow,
  x,
};

export type IconName = keyof typeof ICONS;

interface IconProps {
  readonly name: IconName;
  /** **Units**: pixels. */
  readonly size?: 14 | 16 | 18 | 20;
}

/** A drawing next to words, or in a control with a name of its own: nothing reads it out. */
export const Icon = memo(function Icon({ name, size = 16 }: IconProps) {
  return (
    <svg
      className={css.icon}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
      // The drawings come from the package at build time.
      dangerouslySetInnerHTML={{ __html: ICONS[name] }}
    />
  );
});
