// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: 5 0 9 6
// out: sums 1.06325551 0.295551424 -7.57621251 -0.920360656 9.77013985 -5.60698782 -4.04462544 1.12214028 4.54231237 -3.67340948 2.40379359 -0.990544949 -1.00463711 2.84750265 -0.9774267 -6.4283764
// cost: 151 instructions, 6757815 ticks
module {
  func.func public @main(%arg0: tensor<20x8xf32>, %arg1: tensor<4x8x6xf32>, %arg2: tensor<4xi32>) -> (tensor<20x6xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<20x8xf32>) -> tensor<4x20x8xf32>
    %1 = stablehlo.iota dim = 1 : tensor<4x20x8xi32>
    %2 = call @cumsum(%arg2) : (tensor<4xi32>) -> tensor<4xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %4 = stablehlo.slice %3 [0:1] : (tensor<4xi32>) -> tensor<1xi32>
    %5 = stablehlo.slice %2 [0:3] : (tensor<4xi32>) -> tensor<3xi32>
    %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<1xi32>, tensor<3xi32>) -> tensor<4xi32>
    %7 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<4xi32>) -> tensor<4x20x8xi32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<4xi32>) -> tensor<4x20x8xi32>
    %9 = stablehlo.compare LE, %8, %1, SIGNED : (tensor<4x20x8xi32>, tensor<4x20x8xi32>) -> tensor<4x20x8xi1>
    %10 = stablehlo.compare LT, %1, %7, SIGNED : (tensor<4x20x8xi32>, tensor<4x20x8xi32>) -> tensor<4x20x8xi1>
    %11 = stablehlo.and %9, %10 : tensor<4x20x8xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x20x8xf32>
    %13 = stablehlo.select %11, %0, %12 : tensor<4x20x8xi1>, tensor<4x20x8xf32>
    %14 = stablehlo.dot_general %13, %arg1, contracting_dims = [2, 0] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<4x20x8xf32>, tensor<4x8x6xf32>) -> tensor<20x6xf32>
    return %14 : tensor<20x6xf32>
  }
  func.func private @cumsum(%arg0: tensor<4xi32>) -> tensor<4xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 4>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
}
