// tolerance: 0.0002
// cores: 2
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -4.6934798 -7.09958716 0.0540637042 -3.57869212 8.21787997 -1.56582275 -1.41604328 -3.07245465 -4.37693531 -6.93979277 -11.6560463 0.116924414 2.37915636 5.32142231 -5.17596178 -7.81697801
// cost: 120 instructions, 1504323 ticks
module {
  func.func public @main(%arg0: tensor<1x4x130x16xf32>, %arg1: tensor<1x4x130x16xf32>, %arg2: tensor<1x4x130x16xf32>) -> (tensor<1x4x130x16xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<130xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<130xi32>) -> tensor<130x1xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<130x1xi32>
    %3 = stablehlo.add %1, %2 : tensor<130x1xi32>
    %4 = stablehlo.iota dim = 0 : tensor<130xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<130xi32>) -> tensor<1x130xi32>
    %6 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<130x1xi32>) -> tensor<130x130xi32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x130xi32>) -> tensor<130x130xi32>
    %8 = stablehlo.compare GE, %6, %7, SIGNED : (tensor<130x130xi32>, tensor<130x130xi32>) -> tensor<130x130xi1>
    %9 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x4x130x16xf32>, tensor<1x4x130x16xf32>) -> tensor<1x4x130x130xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x130x130xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<1x4x130x130xf32>
    %cst_0 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %12 = call @_where(%8, %11, %cst_0) : (tensor<130x130xi1>, tensor<1x4x130x130xf32>, tensor<f32>) -> tensor<1x4x130x130xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<1x4x130x130xf32>, tensor<f32>) -> tensor<1x4x130xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x4x130xf32>
    %15 = stablehlo.maximum %14, %13 : tensor<1x4x130xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<1x4x130xf32>) -> tensor<1x4x130x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<1x4x130x1xf32>) -> tensor<1x4x130x130xf32>
    %18 = stablehlo.subtract %12, %17 : tensor<1x4x130x130xf32>
    %19 = stablehlo.exponential %18 : tensor<1x4x130x130xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<1x4x130x130xf32>, tensor<f32>) -> tensor<1x4x130xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<1x4x130xf32>) -> tensor<1x4x130x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<1x4x130x1xf32>) -> tensor<1x4x130x130xf32>
    %23 = stablehlo.divide %19, %22 : tensor<1x4x130x130xf32>
    %24 = stablehlo.dot_general %23, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x4x130x130xf32>, tensor<1x4x130x16xf32>) -> tensor<1x4x130x16xf32>
    return %24 : tensor<1x4x130x16xf32>
  }
  func.func private @_where(%arg0: tensor<130x130xi1>, %arg1: tensor<1x4x130x130xf32>, %arg2: tensor<f32>) -> tensor<1x4x130x130xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<130x130xi1>) -> tensor<1x4x130x130xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x4x130x130xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<1x4x130x130xi1>, tensor<1x4x130x130xf32>
    return %3 : tensor<1x4x130x130xf32>
  }
}
