// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// in: 99
// out: sums -0.137754432 -0.393865484 -0.0618043807 0.0597449421 -0.385767933 0.31596433 -0.299061543 -0.150717824 -0.30326275 -0.00907998279 -0.136235942 -0.299144687 -0.192976053 -0.340546401 -0.0949135713 -0.00757368868
// cost: 59 instructions, 2895250 ticks
module {
  func.func public @main(%arg0: tensor<1x2x4x16xf32>, %arg1: tensor<1x130x2x16xf32>, %arg2: tensor<1x130x2x16xf32>, %arg3: tensor<i32>) -> (tensor<1x2x4x16xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<130xi32>
    %1 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<i32>) -> tensor<130xi32>
    %2 = stablehlo.compare LE, %0, %1, SIGNED : (tensor<130xi32>, tensor<130xi32>) -> tensor<130xi1>
    %3 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x2x4x16xf32>, tensor<1x130x2x16xf32>) -> tensor<1x2x4x130xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x4x130xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<1x2x4x130xf32>
    %cst_0 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %6 = call @_where(%2, %5, %cst_0) : (tensor<130xi1>, tensor<1x2x4x130xf32>, tensor<f32>) -> tensor<1x2x4x130xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<1x2x4x130xf32>, tensor<f32>) -> tensor<1x2x4xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x2x4xf32>
    %9 = stablehlo.maximum %8, %7 : tensor<1x2x4xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<1x2x4xf32>) -> tensor<1x2x4x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x2x4x1xf32>) -> tensor<1x2x4x130xf32>
    %12 = stablehlo.subtract %6, %11 : tensor<1x2x4x130xf32>
    %13 = stablehlo.exponential %12 : tensor<1x2x4x130xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<1x2x4x130xf32>, tensor<f32>) -> tensor<1x2x4xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<1x2x4xf32>) -> tensor<1x2x4x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<1x2x4x1xf32>) -> tensor<1x2x4x130xf32>
    %17 = stablehlo.divide %13, %16 : tensor<1x2x4x130xf32>
    %18 = stablehlo.dot_general %17, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x2x4x130xf32>, tensor<1x130x2x16xf32>) -> tensor<1x2x4x16xf32>
    return %18 : tensor<1x2x4x16xf32>
  }
  func.func private @_where(%arg0: tensor<130xi1>, %arg1: tensor<1x2x4x130xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x130xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [3] : (tensor<130xi1>) -> tensor<1x2x4x130xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x2x4x130xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<1x2x4x130xi1>, tensor<1x2x4x130xf32>
    return %3 : tensor<1x2x4x130xf32>
  }
}
