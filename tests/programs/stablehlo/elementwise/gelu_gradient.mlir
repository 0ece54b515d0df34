// tolerance: 0.0001
// in: draw 1 -4 3.814697265625e-06 2097152
// out: sums 221.719848 243.564586 264.418688 282.863534 219.079382 245.142576 204.243698 204.352563 230.737945 177.211545 193.373444 227.356003 255.948371 203.080788 248.975224 210.212541
// cost: 29 instructions, 1382909 ticks
module {
  func.func public @main(%arg0: tensor<20x60xf32>) -> (tensor<20x60xf32>) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<20x60xf32>
    %1 = stablehlo.multiply %0, %arg0 : tensor<20x60xf32>
    %2 = stablehlo.multiply %arg0, %arg0 : tensor<20x60xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20x60xf32>
    %4 = stablehlo.multiply %3, %2 : tensor<20x60xf32>
    %cst_0 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<20x60xf32>
    %6 = stablehlo.multiply %5, %1 : tensor<20x60xf32>
    %7 = stablehlo.add %arg0, %6 : tensor<20x60xf32>
    %cst_1 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<20x60xf32>
    %9 = stablehlo.multiply %8, %7 : tensor<20x60xf32>
    %10 = stablehlo.tanh %9 : tensor<20x60xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<20x60xf32>
    %12 = stablehlo.subtract %11, %10 : tensor<20x60xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<20x60xf32>
    %14 = stablehlo.add %13, %10 : tensor<20x60xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<20x60xf32>
    %16 = stablehlo.multiply %15, %14 : tensor<20x60xf32>
    %17 = stablehlo.multiply %arg0, %16 : tensor<20x60xf32>
    %18 = stablehlo.multiply %17, %arg0 : tensor<20x60xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_5) applies stablehlo.add across dimensions = [0, 1] : (tensor<20x60xf32>, tensor<f32>) -> tensor<f32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<20x60xf32>
    %21 = stablehlo.multiply %17, %20 : tensor<20x60xf32>
    %22 = stablehlo.multiply %20, %arg0 : tensor<20x60xf32>
    %23 = stablehlo.multiply %arg0, %22 : tensor<20x60xf32>
    %24 = stablehlo.multiply %22, %16 : tensor<20x60xf32>
    %25 = stablehlo.add %21, %24 : tensor<20x60xf32>
    %cst_7 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<20x60xf32>
    %27 = stablehlo.multiply %26, %23 : tensor<20x60xf32>
    %28 = stablehlo.multiply %27, %12 : tensor<20x60xf32>
    %29 = stablehlo.multiply %28, %10 : tensor<20x60xf32>
    %30 = stablehlo.add %28, %29 : tensor<20x60xf32>
    %cst_8 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<20x60xf32>
    %32 = stablehlo.multiply %31, %30 : tensor<20x60xf32>
    %33 = stablehlo.add %25, %32 : tensor<20x60xf32>
    %cst_9 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<20x60xf32>
    %35 = stablehlo.multiply %34, %32 : tensor<20x60xf32>
    %36 = stablehlo.multiply %35, %4 : tensor<20x60xf32>
    %37 = stablehlo.add %33, %36 : tensor<20x60xf32>
    return %37 : tensor<20x60xf32>
  }
}
