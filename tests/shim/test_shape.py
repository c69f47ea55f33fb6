"""Shapes: every case runs under NumPy and under the shim."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
import torch

from np2torch import shim
from support.both import Side, agree, table

shape = importlib.import_module("np2torch.shim.shape")  # `shim.shape` is the function of that name

CASES = r"""
np.reshape(x,(3,-1)) ## x=np.arange(6)
np.roll(x,2**100) ## x=np.arange(6)
np.roll(x,(2**100,-1),(0,1)) ## x=np.arange(6).reshape(2,3)
np.moveaxis(x,range(2),range(2)) ## x=np.zeros((2,3))
np.delete(x,[],axis=0) ## x=np.array(1)
np.insert(x,[],2,axis=0) ## x=np.array(1)
np.delete(x,-1,axis=1) ## x=np.arange(6).reshape(2,3)
np.delete(x,3,axis=1) ## x=np.arange(6).reshape(2,3)
np.pad(x,((1,2),(3,))) ## x=np.arange(6).reshape(2,3)
np.pad(x,((1,),(3,))) ## x=np.arange(6).reshape(2,3)
np.reshape(x,(3,-1),order='F') ## x=np.arange(6)
np.reshape(x,(4,-1)) ## x=np.arange(6)
np.reshape(x,(-1,-1)) ## x=np.arange(6)
np.reshape(x,6) ## x=np.arange(6).reshape(2,3).T
np.reshape(x,-1,order='F') ## x=np.arange(6).reshape(2,3)
np.reshape(x,-1,order='A') ## x=np.asfortranarray(np.arange(6).reshape(2,3))
np.reshape(x,6,copy=False) ## x=np.arange(6).reshape(2,3).T
np.reshape(x,(6,),'C') ## x=np.arange(6).reshape(2,3)
np.reshape(x,()) ## x=np.arange(1)
np.reshape(x,(0,-1)) ## x=np.zeros((0,3))
np.reshape(x,(-1,3)) ## x=np.zeros((0,3))
np.reshape(x,shape=(3,2)) ## x=np.zeros((2,3))
np.reshape([[1,2],[3,4]],4)
np.reshape(x,(2,4)) ## x=np.zeros((2,3))
np.reshape(x,(3,2),order='K') ## x=np.zeros((2,3))
np.ravel(x) ## x=np.arange(6).reshape(2,3).T
np.ravel(x,'F') ## x=np.arange(6).reshape(2,3)
np.ravel(x,'K') ## x=np.arange(6).reshape(2,3).T
np.ravel(x,'K') ## x=np.arange(24).reshape(2,3,4).transpose(1,0,2)
np.ravel(x,order='A') ## x=np.asfortranarray(np.arange(6).reshape(2,3))
np.ravel(3)
np.ravel([[1,2],[3,4]])
np.transpose(x) ## x=np.arange(24).reshape(2,3,4)
np.transpose(x,(1,0,2)) ## x=np.arange(24).reshape(2,3,4)
np.transpose(x,[-1,0,1]) ## x=np.arange(24).reshape(2,3,4)
np.transpose(x,(1,0)) ## x=np.arange(24).reshape(2,3,4)
np.transpose(x,(1,0,0)) ## x=np.arange(24).reshape(2,3,4)
np.transpose(x,(1,0,5)) ## x=np.arange(24).reshape(2,3,4)
np.transpose([1,2])
np.transpose(5)
np.moveaxis(x,0,-1) ## x=np.arange(24).reshape(2,3,4)
np.moveaxis(x,[0,1],[-1,0]) ## x=np.arange(24).reshape(2,3,4)
np.moveaxis(x,[0,1],[-1]) ## x=np.arange(24).reshape(2,3,4)
np.moveaxis(x,5,0) ## x=np.arange(24).reshape(2,3,4)
np.moveaxis(x,[0,0],[1,2]) ## x=np.arange(24).reshape(2,3,4)
np.swapaxes(x,0,-1) ## x=np.arange(24).reshape(2,3,4)
np.swapaxes(x,0,7) ## x=np.arange(24).reshape(2,3,4)
np.rollaxis(x,2) ## x=np.arange(24).reshape(2,3,4)
np.rollaxis(x,0,3) ## x=np.arange(24).reshape(2,3,4)
np.rollaxis(x,1,-1) ## x=np.arange(24).reshape(2,3,4)
np.rollaxis(x,1,7) ## x=np.arange(24).reshape(2,3,4)
np.matrix_transpose(x) ## x=np.arange(24).reshape(2,3,4)
np.matrix_transpose([1,2])
np.expand_dims(x,0) ## x=np.arange(3)
np.expand_dims(x,(0,-1)) ## x=np.arange(3)
np.expand_dims(x,3) ## x=np.arange(3)
np.expand_dims(x,(0,0)) ## x=np.arange(3)
np.expand_dims(x,1) ## x=np.zeros((0,3))
np.expand_dims(5,0)
np.squeeze(x) ## x=np.zeros((1,3,1))
np.squeeze(x,0) ## x=np.zeros((1,3,1))
np.squeeze(x,axis=(0,2)) ## x=np.zeros((1,3,1))
np.squeeze(x,1) ## x=np.zeros((1,3,1))
np.squeeze(x,5) ## x=np.zeros((1,3,1))
np.squeeze(x,axis=()) ## x=np.zeros((1,3,1))
np.squeeze([[5]])
np.squeeze(5,0)
np.broadcast_to(x,(2,3)) ## x=np.arange(3)
np.broadcast_to(x,(2,2)) ## x=np.arange(3)
np.broadcast_to(x,()) ## x=np.arange(3)
np.broadcast_to(5,3)
np.broadcast_to([[1]],(1,))
np.broadcast_to(x,(0,3)) ## x=np.arange(3)
np.broadcast_to(x,(-1,3)) ## x=np.arange(3)
np.broadcast_arrays(x,[[1],[2]]) ## x=np.arange(3)
np.broadcast_arrays(x,[1,2]) ## x=np.arange(3)
np.broadcast_arrays()
np.broadcast_shapes((2,1),(3,),5) if 0 else np.broadcast_shapes((2,1),(3,))
np.broadcast_shapes(3,(2,1))
np.broadcast_shapes((2,),(3,))
np.broadcast_shapes()
np.concatenate([x,y]) ## x=np.arange(3),y=np.arange(3,dtype=np.float32)
np.concatenate([x,y]) ## x=np.arange(3,dtype=np.int8),y=np.arange(3,dtype=np.uint8)
np.concatenate([x,y]) ## x=np.arange(3,dtype=np.uint16),y=np.arange(3,dtype=np.uint16)
np.concatenate([x,y]) ## x=np.arange(3,dtype=np.uint64),y=np.arange(3)
np.concatenate([x,y],axis=1) ## x=np.ones((2,3)),y=np.ones((2,1),bool)
np.concatenate([x,y],axis=-1) ## x=np.ones((2,3)),y=np.ones((2,0))
np.concatenate([x,y],axis=None) ## x=np.ones((2,3)),y=np.ones((2,1),bool)
np.concatenate([x,5.],axis=None) ## x=np.ones((2,3),np.float32)
np.concatenate([x,2],axis=None) ## x=np.ones((2,3),np.uint8)
np.concatenate([x,[2]],axis=None) ## x=np.ones((2,3),np.uint8)
np.concatenate([x,y]) ## x=np.ones((2,3)),y=np.ones(3)
np.concatenate([x,y]) ## x=np.ones((2,3)),y=np.ones(0)
np.concatenate([x,y],2) ## x=np.ones((2,3)),y=np.ones((2,3))
np.concatenate([])
np.concatenate([1,2])
np.concatenate(x) ## x=np.ones((2,3))
np.concatenate([[1,2],[3.]])
np.concatenate([x,y],dtype=np.float32) ## x=np.ones(3),y=np.ones(3,bool)
np.concatenate([x,y],dtype=int) ## x=np.ones(3),y=np.ones(3,bool)
np.concatenate([x,y],dtype=int,casting='unsafe') ## x=np.ones(3)*1.7,y=np.ones(3,bool)
np.concatenate([x,x],dtype=np.float32,casting='safe') ## x=np.ones(3)
np.concatenate([x,y],out=o) ## x=np.ones(3),y=np.ones(3,bool),o=np.zeros(6)
np.concatenate([x,y],0,o) ## x=np.ones(3),y=np.ones(3,bool),o=np.zeros(5)
np.concatenate([x,y],0,o) ## x=np.ones(3),y=np.ones(3,bool),o=np.zeros(6,int)
np.concatenate([x,x],0,o,dtype=float) ## x=np.ones(3),o=np.zeros(6)
np.concatenate((x,x,x),axis=0) ## x=np.ones((0,2),np.float32)
np.concat([[1],[2]])
np.stack([x,x]) ## x=np.arange(3)
np.column_stack(iter([x,x])) ## x=np.arange(3)
np.dstack(map(list,[x,x])) ## x=np.arange(3)
np.stack([x,x],axis=-1) ## x=np.arange(3)
np.stack([x,[1.,2,3]],axis=1) ## x=np.arange(3)
np.stack([x,[1.,2]],axis=1) ## x=np.arange(3)
np.stack([x,x],axis=3) ## x=np.arange(3)
np.stack([])
np.stack([1,2.])
np.stack([x,x],out=o) ## x=np.arange(3),o=np.zeros((2,3))
np.stack(x,1) ## x=np.arange(6).reshape(2,3)
np.vstack([x,[1,2,3.]]) ## x=np.arange(3)
np.vstack([x,y]) ## x=np.arange(3),y=np.ones((2,3),np.float32)
np.vstack((1,2))
np.vstack([x,x],dtype=np.float32) ## x=np.arange(3)
np.hstack([x,[1,2.]]) ## x=np.arange(3)
np.hstack([x,x]) ## x=np.arange(6).reshape(2,3)
np.hstack((1,2))
np.hstack([])
np.dstack([x,x]) ## x=np.arange(3)
np.dstack([x,x]) ## x=np.arange(6).reshape(2,3)
np.column_stack([x,[1,2,3.]]) ## x=np.arange(3)
np.column_stack([x,y]) ## x=np.arange(3),y=np.ones((3,2))
np.column_stack([x,y]) ## x=np.arange(3),y=np.ones((2,2))
np.column_stack((1,2))
np.block([[x,y],[y,x]]) ## x=np.eye(2),y=np.zeros((2,2),int)
np.block([x,5]) ## x=np.arange(2)
np.block([[x,5.],[1,2,3]]) ## x=np.arange(2)
np.block(5)
np.block([])
np.block([[1],2])
np.block((1,2))
np.block([[x],[y]]) ## x=np.ones((2,2)),y=np.ones((1,3))
np.block([[[x]],[[x]]]) ## x=np.ones((2,2))
np.split(x,3) ## x=np.arange(6)
np.split(x,4) ## x=np.arange(6)
np.split(x,[2,3]) ## x=np.arange(6)
np.split(x,[2,-1,9,3]) ## x=np.arange(6)
np.split(x,s) ## x=np.arange(6),s=np.array([1,4])
np.split(x,3,axis=1) ## x=np.arange(6).reshape(2,3)
np.split(x,3,axis=2) ## x=np.arange(6).reshape(2,3)
np.split(x,0) ## x=np.arange(6)
np.array_split(x,4) ## x=np.arange(6)
np.array_split(x,8) ## x=np.arange(6)
np.array_split(x,-1) ## x=np.arange(6)
np.array_split(x,2,1) ## x=np.arange(6).reshape(2,3)
np.array_split(x,s) ## x=np.arange(6),s=np.array(4)
np.hsplit(x,3) ## x=np.arange(6).reshape(2,3)
np.hsplit(x,3) ## x=np.arange(6)
np.vsplit(x,2) ## x=np.arange(6).reshape(2,3)
np.vsplit(x,2) ## x=np.arange(6)
np.dsplit(x,[1]) ## x=np.arange(12).reshape(2,3,2)
np.unstack(x) ## x=np.arange(6).reshape(2,3)
np.unstack(x,axis=1) ## x=np.arange(6).reshape(2,3)
np.tile(x,2) ## x=np.arange(3)
np.tile(x,(2,1)) ## x=np.arange(3,dtype=np.uint16)
np.tile(x,2) ## x=np.arange(6).reshape(2,3)
np.tile(x,(2,0)) ## x=np.arange(3)
np.tile(x,()) ## x=np.arange(3)
np.tile(5,(2,2))
np.tile(x,-1) ## x=np.arange(3)
np.tile(x,[2,2,2]) ## x=np.array([[True,False]])
np.repeat(x,2) ## x=np.arange(6).reshape(2,3)
np.repeat(x,[1,2],axis=0) ## x=np.arange(6).reshape(2,3)
np.repeat(x,[1,2,0],axis=1) ## x=np.arange(6,dtype=np.uint32).reshape(2,3)
np.repeat(x,[1,2],axis=1) ## x=np.arange(6).reshape(2,3)
np.repeat(x,[2],axis=-1) ## x=np.arange(6).reshape(2,3)
np.repeat(x,-1) ## x=np.arange(6)
np.repeat(x,2.0) ## x=np.arange(3)
np.repeat(x,[1.9,1,0]) ## x=np.arange(3)
np.repeat(x,x) ## x=np.arange(3.)
np.repeat(x,0) ## x=np.arange(6.)
np.repeat(3,4)
np.repeat(x,2,axis=3) ## x=np.arange(6)
np.repeat(x,True) ## x=np.arange(6)
np.append([1,2],3.)
np.append(x,1.) ## x=np.ones(2,np.float32)
np.append([[1,2]],[[3,4]],axis=0)
np.append([[1,2]],[3,4],axis=0)
np.append([],[1,2])
np.append(x,[[7,8]]) ## x=np.arange(4).reshape(2,2)
np.delete(x,1) ## x=np.arange(5)
np.delete(x,-1) ## x=np.arange(5,dtype=np.uint16)
np.delete(x,5) ## x=np.arange(5)
np.delete(x,[1,3]) ## x=np.arange(5)
np.delete(x,[1,-1,1],axis=1) ## x=np.arange(12).reshape(3,4)
np.delete(x,1,0) ## x=np.arange(12).reshape(3,4)
np.delete(x,1) ## x=np.arange(12).reshape(3,4)
np.delete(x,slice(None,None,2),1) ## x=np.arange(12).reshape(3,4)
np.delete(x,slice(1,9)) ## x=np.arange(5)
np.delete(x,m) ## x=np.arange(3),m=np.array([True,False,True])
np.delete(x,m) ## x=np.arange(4),m=np.array([True,False,True])
np.delete(x,[True,False,True]) ## x=np.arange(3)
np.delete(x,[]) ## x=np.arange(3)
np.delete(x,[7,1]) ## x=np.arange(3)
np.delete(x,1.) ## x=np.arange(3)
np.delete(x,s) ## x=np.arange(3),s=np.array([1])
np.delete(x,z) ## x=np.arange(3),z=np.zeros(0)
np.insert(x,1,9) ## x=np.arange(5)
np.insert(x,1,2.7) ## x=np.arange(5)
np.insert(x,5,9) ## x=np.arange(5)
np.insert(x,6,9) ## x=np.arange(5)
np.insert(x,-1,9) ## x=np.arange(5,dtype=np.uint16)
np.insert(x,1,[7,8]) ## x=np.arange(5)
np.insert(x,[1],[7,8]) ## x=np.arange(5)
np.insert(x,[1,3],[7,8]) ## x=np.arange(5)
np.insert(x,[3,1,1],[7,8,9]) ## x=np.arange(5)
np.insert(x,[3,1],7) ## x=np.arange(5)
np.insert(x,[3,1],[1,2,3]) ## x=np.arange(5)
np.insert(x,1,9,axis=1) ## x=np.arange(6).reshape(2,3)
np.insert(x,1,[7,8],axis=1) ## x=np.arange(6).reshape(2,3)
np.insert(x,[1],[[7],[8]],axis=1) ## x=np.arange(6).reshape(2,3)
np.insert(x,1,[7,8,9],axis=0) ## x=np.arange(6).reshape(2,3)
np.insert(x,1,9) ## x=np.arange(6).reshape(2,3)
np.insert(x,slice(0,2),9) ## x=np.arange(6)
np.insert(x,[],9) ## x=np.arange(3)
np.insert(x,[1,2],[[7],[8]],axis=0) ## x=np.arange(6).reshape(2,3)
np.insert(x,0,300) ## x=np.zeros(2,np.uint8)
np.insert(x,[[1]],3) ## x=np.arange(3)
np.insert(x,[9,1],3) ## x=np.arange(3)
np.insert(x,1.,3) ## x=np.arange(3)
np.resize(x,(2,4)) ## x=np.arange(3)
np.resize(x,7) ## x=np.arange(6,dtype=np.uint16).reshape(2,3)
np.resize(x,(0,2)) ## x=np.arange(3)
np.resize(x,2) ## x=np.zeros(0,int)
np.resize(x,-2) ## x=np.arange(3)
np.resize(x,()) ## x=np.arange(3)
np.flip(x) ## x=np.arange(6,dtype=np.uint16).reshape(2,3)
np.flip(x,1) ## x=np.arange(6).reshape(2,3)
np.flip(x,(0,-1)) ## x=np.arange(6).reshape(2,3)
np.flip(x,2) ## x=np.arange(6).reshape(2,3)
np.flip(x,(0,0)) ## x=np.arange(6).reshape(2,3)
np.flip(5)
np.fliplr(x) ## x=np.arange(6).reshape(2,3)
np.fliplr([1,2])
np.flipud([1,2])
np.flipud(5)
np.rot90(x) ## x=np.arange(6).reshape(2,3)
np.rot90(x,-1) ## x=np.arange(6,dtype=np.uint32).reshape(2,3)
np.rot90(x,6) ## x=np.arange(6).reshape(2,3)
np.rot90(x,1,(1,2)) ## x=np.arange(24).reshape(2,3,4)
np.rot90(x,1,(1,-1)) ## x=np.arange(24).reshape(2,3,4)
np.rot90(x,1,(0,0)) ## x=np.arange(24).reshape(2,3,4)
np.rot90(x,1,(0,3)) ## x=np.arange(24).reshape(2,3,4)
np.rot90(x,1,(0,1,2)) ## x=np.arange(24).reshape(2,3,4)
np.rot90([1,2])
np.roll(x,2) ## x=np.arange(5)
np.roll(x,-7) ## x=np.arange(5)
np.roll(x,1) ## x=np.arange(6).reshape(2,3)
np.roll(x,1,0) ## x=np.arange(6).reshape(2,3)
np.roll(x,(1,-1),(0,1)) ## x=np.arange(6).reshape(2,3)
np.roll(x,(1,2),1) ## x=np.arange(6).reshape(2,3)
np.roll(x,1,(0,1)) ## x=np.arange(6).reshape(2,3)
np.roll(x,(1,1),(0,0)) ## x=np.arange(12).reshape(4,3)
np.roll(x,(1,2,3),(0,1)) ## x=np.arange(12).reshape(4,3)
np.roll(x,1,5) ## x=np.arange(12).reshape(4,3)
np.roll(x,1) ## x=np.zeros((0,3))
np.roll(5,1)
np.roll(x,(1,2)) ## x=np.arange(5)
np.atleast_1d(5)
np.atleast_1d(5,[1,2])
np.atleast_2d([1,2])
np.atleast_2d(5,[[1]])
np.atleast_3d([1,2])
np.atleast_3d(5,[[1,2]],x) ## x=np.zeros((1,2,3,4))
np.trim_zeros(x) ## x=np.array([0,0,1,2,0,3,0])
np.trim_zeros(x,'f') ## x=np.array([0,0,1,2,0,3,0])
np.trim_zeros(x,'b') ## x=np.array([0,0,1,2,0,3,0])
np.trim_zeros([0,1,0])
np.trim_zeros(x) ## x=np.zeros(3)
np.trim_zeros(x) ## x=np.array([[0,0,0],[0,1,2],[0,0,0]])
np.trim_zeros(x,axis=1) ## x=np.array([[0,0,0],[0,1,2],[0,0,0]])
np.trim_zeros(x,'q') ## x=np.zeros(3)
np.copyto(x,[1,2,3]) ## x=np.zeros(3)
np.copyto(x,5) ## x=np.zeros((2,3),np.uint16)
np.copyto(x,1.5) ## x=np.zeros((2,3),int)
np.copyto(x,[1.5,2,3]) ## x=np.zeros((2,3),int)
np.copyto(x,[1.5,2,3],casting='unsafe') ## x=np.zeros((2,3),int)
np.copyto(x,[1,2,3],where=[True,False,True]) ## x=np.zeros((2,3))
np.copyto(x,[1,2]) ## x=np.zeros((2,3))
np.copyto(x,9,where=x<2) ## x=np.arange(4.)
np.copyto(x,300) ## x=np.zeros(3,np.uint8)
np.copyto([1],2)
np.copyto(x,[1,2,3],where=[1,0,1]) ## x=np.zeros((2,3))
np.copyto(x,y) ## x=np.zeros(2,np.float32),y=np.ones(2)
np.copyto(x,1j) ## x=np.zeros(2,np.float32)
np.copyto(x[1:],x[:-1]) ## x=np.arange(5.)
np.copyto(x.T,[1,2]) ## x=np.zeros((2,3))
np.place(x,x>2,[44,55]) ## x=np.arange(6).reshape(2,3)
np.place(x,x>2,[4.7]) ## x=np.arange(6).reshape(2,3)
np.place(x,x>2,[]) ## x=np.arange(6).reshape(2,3)
np.place(x,x>7,[]) ## x=np.arange(6).reshape(2,3)
np.place(x,[1,0],[3]) ## x=np.arange(6).reshape(2,3)
np.place(x,x>2,7) ## x=np.arange(6).reshape(2,3)
np.place(x,[1,0,1],[3,4]) ## x=np.arange(3,dtype=np.uint16)
np.putmask(x,x>2,[44,55]) ## x=np.arange(6).reshape(2,3)
np.putmask(x,x>2,x**2) ## x=np.arange(6).reshape(2,3)
np.putmask(x,x>2,4.5) ## x=np.arange(6).reshape(2,3)
np.putmask(x,x>2,[]) ## x=np.arange(6).reshape(2,3)
np.putmask(x,[1,0],3) ## x=np.arange(6).reshape(2,3)
np.putmask(x.T,[[1,0,0],[0,1,1]],[1,2,3,4,5]) ## x=np.zeros((2,3))
np.putmask(x.T,[[1,0],[0,1],[1,1]],[1,2,3,4,5]) ## x=np.zeros((2,3))
np.put(x,[0,2],[-44,-55]) ## x=np.arange(5)
np.put(x,22,-5,mode='clip') ## x=np.arange(5)
np.put(x,22,-5) ## x=np.arange(5)
np.put(x,[22,-7],[-5,9],mode='wrap') ## x=np.arange(5)
np.put(x,-1,2.7) ## x=np.arange(5)
np.put(x,[0,1,2,3],[7,8]) ## x=np.arange(6).reshape(2,3)
np.put(x.T,[0,1,2,3],[7,8]) ## x=np.arange(6).reshape(2,3)
np.put(x,[],[7,8]) ## x=np.arange(6).reshape(2,3)
np.put(x,[0,0],[7,8]) ## x=np.arange(6,dtype=np.uint64)
np.pad(x,2) ## x=np.arange(5)
np.pad(x,(1,2)) ## x=np.arange(4,dtype=np.uint16).reshape(2,2)
np.pad(x,((1,2),(0,3)),constant_values=7) ## x=np.arange(4.).reshape(2,2)
np.pad(x,((1,2),(0,3)),'constant',constant_values=((1,2),(3,4))) ## x=np.arange(4.).reshape(2,2)
np.pad(x,((1,),(2,)),constant_values=((5,),(6,))) ## x=np.arange(4.).reshape(2,2)
np.pad(x,1,'edge') ## x=np.arange(6).reshape(2,3)
np.pad(x,(3,4),'wrap') ## x=np.arange(3)
np.pad(x,(7,8),'wrap') ## x=np.arange(3)
np.pad(x,(2,8),'wrap') ## x=np.arange(6).reshape(2,3)
np.pad(x,(2,3),'reflect') ## x=np.arange(5)
np.pad(x,(7,9),'reflect') ## x=np.arange(3)
np.pad(x,(7,9),'reflect') ## x=np.arange(1)
np.pad(x,(7,9),'reflect') ## x=np.arange(6).reshape(2,3)
np.pad(x,(7,9),'symmetric') ## x=np.arange(3,dtype=np.uint16)
np.pad(x,(1,9),'symmetric') ## x=np.arange(6).reshape(2,3)
np.pad(x,(7,9),'reflect',reflect_type='odd') ## x=np.array([1.1,2.7,-3.3])
np.pad(x,(7,0),'reflect',reflect_type='odd') ## x=np.array([1.1,2.7,-3.3])
np.pad(x,(7,9),'symmetric',reflect_type='odd') ## x=np.array([1.1,2.7,-3.3])
np.pad(x,(1,3),'symmetric',reflect_type='odd') ## x=np.arange(6,dtype=np.uint8).reshape(2,3)
np.pad(x,(2,3),'linear_ramp') ## x=np.arange(5)
np.pad(x,(2,3),'linear_ramp',end_values=(5,-4)) ## x=np.arange(5)
np.pad(x,((2,3),(1,0)),'linear_ramp',end_values=((5,-4),(1,2))) ## x=np.arange(6,dtype=np.float32).reshape(2,3)
np.pad(x,(2,3),'linear_ramp',end_values=.1) ## x=np.arange(6,dtype=np.float32).reshape(2,3)
np.pad(x,(2,3),'maximum') ## x=np.array([1,5,2])
np.pad(x,(2,3),'maximum',stat_length=2) ## x=np.array([1,5,2,7,6])
np.pad(x,(2,3),'minimum',stat_length=(1,3)) ## x=np.array([[1,5,2],[7,6,2]])
np.pad(x,(2,3),'mean') ## x=np.array([1,5,2])
np.pad(x,(2,3),'mean',stat_length=2) ## x=np.array([1,4,2,7,6])
np.pad(x,(2,3),'mean') ## x=np.array([1,5,2.5],dtype=np.float32)
np.pad(x,(2,3),'median') ## x=np.array([1,5,2,7])
np.pad(x,(2,3),'median') ## x=np.array([1,5,2.5,np.nan])
np.pad(x,(2,3),'median',stat_length=3) ## x=np.arange(12.).reshape(3,4)
np.pad(x,(2,3),'maximum',stat_length=0) ## x=np.arange(12.).reshape(3,4)
np.pad(x,2,'empty').shape ## x=np.arange(5)
np.pad(x,2,'edge') ## x=np.zeros((0,3))
np.pad(x,((0,0),(1,1)),'edge') ## x=np.zeros((0,3))
np.pad(x,2) ## x=np.zeros((0,3))
np.pad(x,2,'foo') ## x=np.arange(5)
np.pad(x,2,'edge',constant_values=3) ## x=np.arange(5)
np.pad(x,-1) ## x=np.arange(5)
np.pad(x,1.5) ## x=np.arange(5)
np.pad(x,(1,2,3)) ## x=np.arange(5)
np.pad(x,{-1:(1,2)}) ## x=np.arange(6).reshape(2,3)
np.pad(x,{0:2}) ## x=np.arange(6).reshape(2,3)
np.pad(x,0) ## x=np.arange(6).reshape(2,3)
np.pad(x,[(1,1)],'edge') ## x=np.array([True,False])
np.pad(5,1)
np.pad([1,2],1,mode='edge')
"""


@pytest.mark.parametrize(("expression", "names"), table(CASES))
def test_same_as_numpy(expression: str, names: dict[str, Any]) -> None:
    agree(expression, Side(shape), **names)


def shares(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()


@pytest.mark.parametrize(
    "view",
    [
        lambda x: shape.reshape(x, (3, 2)),
        lambda x: shape.ravel(x),
        lambda x: shape.transpose(x),
        lambda x: shape.squeeze(x),
        lambda x: shape.expand_dims(x, 0),
        lambda x: shape.broadcast_to(x, (2, 2, 3)),
        lambda x: shape.split(x, 2)[1],
        lambda x: shape.array_split(x, [1], axis=1)[0],
        lambda x: shape.atleast_3d(x),
        lambda x: shape.trim_zeros(x),
        lambda x: shape.moveaxis(x, 0, 1),
        lambda x: shape.unstack(x)[0],
        lambda x: shape.ravel(x.T, order="K"),
    ],
)
def test_views(view: Any) -> None:
    x = torch.arange(6.0).reshape(2, 3)
    assert shares(view(x), x)


@pytest.mark.parametrize(
    "copied",
    [
        lambda x: shape.reshape(x, (3, 2), copy=True),
        lambda x: shape.ravel(x, "F"),
        lambda x: shape.tile(x, 1),
        lambda x: shape.repeat(x, 1, axis=0),
        lambda x: shape.concatenate([x]),
        lambda x: shape.stack([x]),
        lambda x: shape.block(x),
        lambda x: shape.pad(x, 0),
        lambda x: shape.roll(x, 0),
        lambda x: shape.resize(x, (2, 3)),
        lambda x: shape.delete(x, [], 0),
        lambda x: shape.insert(x, [], 1, 0),
        lambda x: shape.vstack([x]),
        lambda x: shape.append(x, x),
    ],
)
def test_copies(copied: Any) -> None:
    x = torch.arange(6.0).reshape(2, 3)
    assert not shares(copied(x), x)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: shape.pad(x, 2, "reflect"),
        lambda x: shape.tile(x, 2),
        lambda x: shape.insert(x, 1, 5.0),
        lambda x: shape.delete(x, 9),
        lambda x: shape.roll(x, 1),
        lambda x: shape.block([[x], [x]]),
        lambda x: shape.repeat(x, 2),
    ],
)
def test_gradients_flow(function: Any) -> None:
    x = torch.arange(10.0, requires_grad=True)
    (gradient,) = torch.autograd.grad(function(x).sum(), x)
    assert bool((gradient[:9] != 0).all())


def test_pad_by_a_function() -> None:
    def fill(vector: Any, width: Any, axis: int, kwargs: Any) -> None:
        vector[: width[0]] = kwargs.get("padder", 10)
        vector[len(vector) - width[1] :] = axis

    x = np.arange(6).reshape(2, 3)
    expected = np.pad(x, 2, fill, padder=100)
    assert np.array_equal(shape.pad(torch.from_numpy(x), 2, fill, padder=100).numpy(), expected)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "uint16", "uint64", "int8", "float16", "float32", "complex64"])
@pytest.mark.parametrize(
    "expression",
    [
        "np.pad(x, 1, 'wrap')",
        "np.tile(x, (2, 2))",
        "np.repeat(x, 2, 0)",
        "np.flip(x)",
        "np.roll(x, 1, 1)",
        "np.rot90(x)",
        "np.insert(x, 1, x[0], 0)",
        "np.delete(x, 0, 1)",
        "np.concatenate([x, x], 1)",
        "np.resize(x, (3, 3))",
        "np.put(x, [0, 3], [1, 1])",
        "np.copyto(x, x[::1, :1])",
        "np.place(x, [[1, 0], [0, 1]], [1])",
        "np.trim_zeros(x, axis=0)",
    ],
)
def test_every_dtype(expression: str, dtype: str) -> None:
    agree(expression, Side(shape), x=np.arange(6).reshape(2, 3).astype(dtype)[:, ::2])


def test_an_order_of_axes_may_be_an_array_of_numpys():
    """It is one where it was computed on NumPy, from the strides of an array."""
    x = torch.arange(24).reshape(2, 3, 4)
    order = np.array([2, 0, 1])
    assert shim.transpose(x, order).shape == shim.invoke(x, "transpose", order).shape == (4, 2, 3)
    assert shim.sum(x, axis=np.array(1)).shape == (2, 4)
