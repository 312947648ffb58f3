"""Protocol methods, one family a file: conversion and a call, nothing else."""
