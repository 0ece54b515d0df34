// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -147.920947 -149.061958 -152.212595 -134.701326 -143.159827 -144.325176 -111.853521 -130.991757 -132.766167 -119.009257 -140.646994 -164.907872 -134.088462 -133.744578 -143.732745 -130.795227
// cost: 6 instructions, 695217 ticks
module {
  func.func public @main(%arg0: tensor<3x40x17xf32>, %arg1: tensor<3x17xf32>) -> (tensor<3x40x17xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 2] : (tensor<3x17xf32>) -> tensor<3x1x17xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<3x1x17xf32>) -> tensor<3x40x17xf32>
    %2 = stablehlo.multiply %arg0, %1 : tensor<3x40x17xf32>
    %3 = stablehlo.slice %arg1 [0:3, 0:1] : (tensor<3x17xf32>) -> tensor<3x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 2] : (tensor<3x1xf32>) -> tensor<3x1x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<3x1x1xf32>) -> tensor<3x40x17xf32>
    %6 = stablehlo.add %2, %5 : tensor<3x40x17xf32>
    return %6 : tensor<3x40x17xf32>
  }
}
