// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: 5 12 7
// out: sums -2.44379314 -1.26697592 -7.33102874 5.13925847 -6.32287598 -9.08790324 5.34334179 -2.10807372 -1.02084435 2.37079994 -6.51903724 10.3198454 11.0473094 -7.29561337 5.5137949 4.79632678
// cost: 149 instructions, 6686055 ticks
module {
  func.func public @main(%arg0: tensor<24x16xf32>, %arg1: tensor<3x16x10xf32>, %arg2: tensor<3xi32>) -> (tensor<24x10xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<24x16xf32>) -> tensor<3x24x16xf32>
    %1 = stablehlo.iota dim = 1 : tensor<3x24x16xi32>
    %2 = call @cumsum(%arg2) : (tensor<3xi32>) -> tensor<3xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %4 = stablehlo.slice %3 [0:1] : (tensor<3xi32>) -> tensor<1xi32>
    %5 = stablehlo.slice %2 [0:2] : (tensor<3xi32>) -> tensor<2xi32>
    %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
    %7 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<3xi32>) -> tensor<3x24x16xi32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<3xi32>) -> tensor<3x24x16xi32>
    %9 = stablehlo.compare LE, %8, %1, SIGNED : (tensor<3x24x16xi32>, tensor<3x24x16xi32>) -> tensor<3x24x16xi1>
    %10 = stablehlo.compare LT, %1, %7, SIGNED : (tensor<3x24x16xi32>, tensor<3x24x16xi32>) -> tensor<3x24x16xi1>
    %11 = stablehlo.and %9, %10 : tensor<3x24x16xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x24x16xf32>
    %13 = stablehlo.select %11, %0, %12 : tensor<3x24x16xi1>, tensor<3x24x16xf32>
    %14 = stablehlo.dot_general %13, %arg1, contracting_dims = [2, 0] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<3x24x16xf32>, tensor<3x16x10xf32>) -> tensor<24x10xf32>
    return %14 : tensor<24x10xf32>
  }
  func.func private @cumsum(%arg0: tensor<3xi32>) -> tensor<3xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[2, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 3>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
    return %1 : tensor<3xi32>
  }
}
