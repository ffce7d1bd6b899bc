/** True once a person has followed a link: from then on a new page takes the focus, and the first one leaves it. */
export const navigation = { hasMoved: false };
