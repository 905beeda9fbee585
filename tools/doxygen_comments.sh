#!/bin/sh
# usage: doxygen_comments.sh HEADER
# The header with its plain comments as Doxygen wants them: before a declaration, and behind one. The first comment
# describes the file; lines that divide it stay plain.
sed -E '1s|^/\* |/** @file\n * |
/^\/\* ----/b
s|^( *)/\* |\1/** |
s|^(.*[^ /*].*[;,{]) +/\* |\1 /**< |' "$1"
