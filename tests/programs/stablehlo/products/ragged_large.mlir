// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: 50 0 75 35
// out: sums -80.36584 6.17121935 89.6680009 -7.77151983 29.0545939 -6.28215258 -51.5950418 31.0250758 62.8026958 -4.30590036 -1.06023782 -40.7818707 11.5204395 15.2230986 55.7510024 4.53051626
// cost: 199 instructions, 8077089 ticks
module {
  func.func public @main(%arg0: tensor<160x32xf32>, %arg1: tensor<4x32x24xf32>, %arg2: tensor<4xi32>) -> (tensor<160x24xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<160x32xf32>) -> tensor<4x160x32xf32>
    %1 = stablehlo.iota dim = 1 : tensor<4x160x32xi32>
    %2 = call @cumsum(%arg2) : (tensor<4xi32>) -> tensor<4xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %4 = stablehlo.slice %3 [0:1] : (tensor<4xi32>) -> tensor<1xi32>
    %5 = stablehlo.slice %2 [0:3] : (tensor<4xi32>) -> tensor<3xi32>
    %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<1xi32>, tensor<3xi32>) -> tensor<4xi32>
    %7 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<4xi32>) -> tensor<4x160x32xi32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<4xi32>) -> tensor<4x160x32xi32>
    %9 = stablehlo.compare LE, %8, %1, SIGNED : (tensor<4x160x32xi32>, tensor<4x160x32xi32>) -> tensor<4x160x32xi1>
    %10 = stablehlo.compare LT, %1, %7, SIGNED : (tensor<4x160x32xi32>, tensor<4x160x32xi32>) -> tensor<4x160x32xi1>
    %11 = stablehlo.and %9, %10 : tensor<4x160x32xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x160x32xf32>
    %13 = stablehlo.select %11, %0, %12 : tensor<4x160x32xi1>, tensor<4x160x32xf32>
    %14 = stablehlo.dot_general %13, %arg1, contracting_dims = [2, 0] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<4x160x32xf32>, tensor<4x32x24xf32>) -> tensor<160x24xf32>
    return %14 : tensor<160x24xf32>
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
