// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// in: 37
// out: sums -0.445063848 -0.195899927 -0.120658833 0.519059885 -0.0216967269 -0.185154026 -0.316381981 0 0.130987717 0.237735304 0.0315864603 0.357172472 -0.195472714 -0.672285905 -0.126368722 0.322598193
// cost: 41 instructions, 1737334 ticks
module {
  func.func public @main(%arg0: tensor<2x2x1x16xf32>, %arg1: tensor<2x2x60x16xf32>, %arg2: tensor<2x2x60x16xf32>, %arg3: tensor<i32>) -> (tensor<2x2x1x16xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<60xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [3] : (tensor<60xi32>) -> tensor<1x1x1x60xi32>
    %2 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<i32>) -> tensor<1x1x1x60xi32>
    %3 = stablehlo.compare LE, %1, %2, SIGNED : (tensor<1x1x1x60xi32>, tensor<1x1x1x60xi32>) -> tensor<1x1x1x60xi1>
    %4 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x1x16xf32>, tensor<2x2x60x16xf32>) -> tensor<2x2x1x60xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x1x60xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<2x2x1x60xf32>
    %cst_0 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %7 = call @_where(%3, %6, %cst_0) : (tensor<1x1x1x60xi1>, tensor<2x2x1x60xf32>, tensor<f32>) -> tensor<2x2x1x60xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x1x60xf32>, tensor<f32>) -> tensor<2x2x1xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x2x1xf32>
    %10 = stablehlo.maximum %9, %8 : tensor<2x2x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x2x1xf32>) -> tensor<2x2x1x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x2x1x1xf32>) -> tensor<2x2x1x60xf32>
    %13 = stablehlo.subtract %7, %12 : tensor<2x2x1x60xf32>
    %14 = stablehlo.exponential %13 : tensor<2x2x1x60xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x2x1x60xf32>, tensor<f32>) -> tensor<2x2x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x2x1xf32>) -> tensor<2x2x1x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<2x2x1x1xf32>) -> tensor<2x2x1x60xf32>
    %18 = stablehlo.divide %14, %17 : tensor<2x2x1x60xf32>
    %19 = stablehlo.dot_general %18, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x1x60xf32>, tensor<2x2x60x16xf32>) -> tensor<2x2x1x16xf32>
    return %19 : tensor<2x2x1x16xf32>
  }
  func.func private @_where(%arg0: tensor<1x1x1x60xi1>, %arg1: tensor<2x2x1x60xf32>, %arg2: tensor<f32>) -> tensor<2x2x1x60xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<1x1x1x60xi1>) -> tensor<2x2x1x60xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x2x1x60xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x2x1x60xi1>, tensor<2x2x1x60xf32>
    return %3 : tensor<2x2x1x60xf32>
  }
}
