// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 11.7040647 4.37372635 -0.759189767 -19.9527083 -2.61065544 -4.36584086 1.39783314 20.9322205 1.77449214 -1.09479651 15.7067789 4.74603665 5.81250739 4.73600992 1.81594364 -5.90397228
// cost: 23 instructions, 739897 ticks
func.func @main(%x: tensor<10x2x16xf32>, %left: tensor<2x10x1xf32>,
      %right: tensor<2x1x16xf32>, %first: tensor<2x16xf32>, %second: tensor<2x16xf32>,
      %others: tensor<18x48xf32>) -> (tensor<20x48xf32>) {
  %0 = stablehlo.dot_general %left, %right, batching_dims = [0] x [0],
      contracting_dims = [2] x [1] : (tensor<2x10x1xf32>,
      tensor<2x1x16xf32>) -> tensor<2x10x16xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<2x10x16xf32>) -> tensor<10x2x16xf32>
  %2 = stablehlo.add %x, %1 : tensor<10x2x16xf32>
  %3 = stablehlo.slice %2 [0:1, 0:2, 0:16] : (tensor<10x2x16xf32>) -> tensor<1x2x16xf32>
  %4 = stablehlo.multiply %3, %3 : tensor<1x2x16xf32>
  %5 = stablehlo.reshape %4 : (tensor<1x2x16xf32>) -> tensor<2x16xf32>
  %6 = stablehlo.concatenate %first, %second, %5, dim = 1 : (tensor<2x16xf32>,
      tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<2x48xf32>
  %7 = stablehlo.slice %others [0:2, 0:48] : (tensor<18x48xf32>) -> tensor<2x48xf32>
  %8 = stablehlo.slice %others [2:4, 0:48] : (tensor<18x48xf32>) -> tensor<2x48xf32>
  %9 = stablehlo.slice %others [4:6, 0:48] : (tensor<18x48xf32>) -> tensor<2x48xf32>
  %10 = stablehlo.slice %others [6:8, 0:48] : (tensor<18x48xf32>) -> tensor<2x48xf32>
  %11 = stablehlo.slice %others [8:10, 0:48] : (tensor<18x48xf32>) -> tensor<2x48xf32>
  %12 = stablehlo.slice %others [10:12, 0:48] : (tensor<18x48xf32>) -> tensor<2x48xf32>
  %13 = stablehlo.slice %others [12:14, 0:48] : (tensor<18x48xf32>) -> tensor<2x48xf32>
  %14 = stablehlo.slice %others [14:16, 0:48] : (tensor<18x48xf32>) -> tensor<2x48xf32>
  %15 = stablehlo.slice %others [16:18, 0:48] : (tensor<18x48xf32>) -> tensor<2x48xf32>
  %16 = stablehlo.concatenate %6, %7, %8, %9, %10, %11, %12, %13, %14, %15,
      dim = 0 : (tensor<2x48xf32>, tensor<2x48xf32>, tensor<2x48xf32>, tensor<2x48xf32>,
      tensor<2x48xf32>, tensor<2x48xf32>, tensor<2x48xf32>, tensor<2x48xf32>,
      tensor<2x48xf32>, tensor<2x48xf32>) -> tensor<20x48xf32>
  return %16 : tensor<20x48xf32>
}
